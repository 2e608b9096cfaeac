// SPDX-License-Identifier: MIT
#include "cli/render/item.hpp"

#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "cli/render/plural.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include <sys/stat.h>

namespace shadow::cli {

namespace {

const Entry& present(const Change& change) {
  return change.after.exists() ? change.after : change.before;
}

// States what an apply makes of a path that somebody else changed as well.
std::string sentence(const Resolution& resolution, const Change& change, std::string_view from) {
  const std::string partner =
      resolution.partner.empty() ? "" : printable(relative_path(resolution.partner.str(), from));
  if (resolution.verdict == Verdict::Conflict) {
    const bool renamed = !partner.empty() && change.kind == ChangeKind::Deleted;
    return fmt::format("conflict: {}{}", to_sentence(resolution.clash),
                       renamed ? fmt::format("; it became {}", partner) : "");
  }
  if (partner.empty()) {
    return to_sentence(resolution);
  }
  return change.kind == ChangeKind::Deleted
             ? fmt::format("changed in the project too; it became {} and can be merged", partner)
             : fmt::format("was {}, which the project changed", partner);
}

char column(const ReviewItem& item) {
  return both_changed_column(item.resolution.verdict, item.drift);
}

}  // namespace

char both_changed_column(Verdict verdict, Drift drift) {
  if (verdict != Verdict::Merge && verdict != Verdict::Conflict) {
    return '.';
  }
  if (verdict == Verdict::Merge && drift != Drift::None) {
    return 'M';
  }
  switch (drift) {
    case Drift::None:
      return '.';
    case Drift::Changed:
      return 'C';
    case Drift::Appeared:
      return 'A';
    case Drift::Vanished:
      break;
  }
  return 'V';
}

std::string shown_path(const Change& change, std::string_view from) {
  const std::string path = printable(relative_path(change.path, from));
  const bool directory = present(change).kind == EntryKind::Directory && !path.ends_with('/');
  return path + (directory ? "/" : "");
}

bool both_changed(const ReviewItem& item) {
  return item.resolution.verdict == Verdict::Merge || item.resolution.verdict == Verdict::Conflict;
}

std::string left_out(const Change& change) {
  std::vector<std::string> names;
  if ((change.left_bits & S_ISUID) != 0) {
    names.emplace_back("its setuid bit");
  }
  if ((change.left_bits & S_ISGID) != 0) {
    names.emplace_back("its setgid bit");
  }
  if (change.left_capabilities) {
    names.emplace_back("its capabilities");
  }
  return join(names, ", ");
}

namespace {

// The widest of the rights.
const char* who_may(std::uint32_t rights) {
  return (rights & S_IWOTH) != 0   ? "for everybody to write"
         : (rights & S_IWGRP) != 0 ? "for its group to write"
         : (rights & S_IRWXO) != 0 ? "for everybody to read"
                                   : "for its group to read";
}

std::vector<std::string> rights_of(const ReviewItem& item) {
  const Change& change = item.change;
  const bool keeps_mode =
      item.resolution.verdict == Verdict::Merge && item.resolution.mode == Side::Project;
  const bool keeps_attributes =
      item.resolution.verdict == Verdict::Merge && item.resolution.attributes == Side::Project;
  std::vector<std::string> parts;
  if (!item.widened.empty()) {
    parts.push_back(item.widened.str());
  }
  if (change.kind == ChangeKind::Modified && change.mode_changed && !keeps_mode) {
    parts.push_back(fmt::format("mode {:o} became {:o}", change.before.mode, change.after.mode));
  }
  if (change.beyond_umask != 0 && !keeps_mode) {
    parts.push_back(fmt::format("mode {:o}, {}", change.after.mode, who_may(change.beyond_umask)));
  }
  if (change.xattrs_changed && !keeps_attributes) {
    parts.emplace_back(change.kind == ChangeKind::Modified ? "extended attributes"
                                                           : "with extended attributes");
  }
  if (change.acl_changed && !keeps_attributes) {
    parts.emplace_back(change.kind == ChangeKind::Modified ? "ACL changed"
                       : change.has_attributes             ? "with an ACL"
                                                           : "without its directory's ACL");
  }
  if (const std::string left = left_out(change); !left.empty()) {
    parts.push_back("without " + left);
  }
  return parts;
}

}  // namespace

bool is_shown_by_patch(std::uint32_t mode) {
  return mode == 0644 || mode == 0755;
}

std::string rights_beyond_patch(const ReviewItem& item) {
  const Change& change = item.change;
  const bool shown = change.after.kind == EntryKind::File &&
                     is_shown_by_patch(change.before.mode) &&
                     is_shown_by_patch(change.after.mode) && !change.xattrs_changed &&
                     !change.acl_changed && !change.left_capabilities;
  return shown ? std::string{} : join(rights_of(item), "; ");
}

std::string rights_given(const ReviewItem& item) {
  const Change& change = item.change;
  const std::uint32_t readers = change.before.mode & (S_IRGRP | S_IROTH);
  const std::uint32_t gained = change.after.mode & ~change.before.mode & (S_IRWXG | S_IRWXO);
  const bool more = change.kind == ChangeKind::Modified && change.mode_changed &&
                    (gained & ~(readers >> 2U)) != 0;
  return more || change.beyond_umask != 0 || !item.widened.empty() ? join(rights_of(item), "; ")
                                                                   : std::string{};
}

std::string remarks(const ReviewItem& item, std::string_view from) {
  const Change& change = item.change;
  std::vector<std::string> parts;
  if (change.kind == ChangeKind::TypeChanged) {
    parts.push_back(
        fmt::format("{} became {}", to_word(change.before.kind), to_word(change.after.kind)));
  }
  for (std::string& right : rights_of(item)) {
    parts.push_back(std::move(right));
  }
  const EntryKind kind = present(change).kind;
  if (change.kind == ChangeKind::Added && kind != EntryKind::File && kind != EntryKind::Directory) {
    parts.emplace_back(to_word(kind));
  }
  if (both_changed(item) || item.resolution.replaces) {
    parts.push_back(sentence(item.resolution, change, from));
  }
  if (!item.depends_on.empty()) {
    parts.push_back("depends on " + shadow::quoted(relative_path(item.depends_on.str(), from)));
  }
  if (!item.sensitive.empty()) {
    parts.push_back("sensitive: " + item.sensitive.str());
  } else if (!item.remark.empty()) {
    parts.push_back(item.remark);
  }
  return join(parts, "; ");
}

std::string too_deep_text(const TooDeep& too_deep, std::string_view from) {
  if (too_deep.names == 0) {
    return {};
  }
  // Where it begins tells it: the whole would fill the screen.
  constexpr std::size_t kShown = 60;
  const std::string path = relative_path(too_deep.first, from);
  return fmt::format("{} in {}{}, deeper than a path can say", plural(too_deep.names, "name"),
                     printable(path.substr(0, kShown)), path.size() > kShown ? "..." : "");
}

Json too_deep_json(const TooDeep& too_deep) {
  Json record;
  record["names"] = too_deep.names;
  if (too_deep.names > 0) {
    set_bytes(record, "first", too_deep.first);
  }
  return record;
}

std::string porcelain_columns(const ReviewItem& item, const ReviewItem* conflict) {
  const bool stays = conflict == nullptr && !item.depends_on.empty();
  return {to_letter(item.change.kind), stays ? 'C' : column(conflict == nullptr ? item : *conflict),
          item.sensitive.empty() ? '.' : 'S', ' '};
}

void add_other_side(Json& record, const ReviewItem& item) {
  record["drift"] = to_word(item.drift);
  if (item.resolution.replaces) {
    record["replaces"] = true;
  }
  if (both_changed(item)) {
    record["resolution"] = to_word(item.resolution.verdict);
    if (item.resolution.clash != Clash::None) {
      record["reason"] = to_sentence(item.resolution.clash);
    }
    if (!item.resolution.partner.empty()) {
      set_bytes(record, "partner", item.resolution.partner.str());
    }
  }
  if (!item.depends_on.empty()) {
    set_bytes(record, "depends_on", item.depends_on.str());
  }
}

Json to_json(const ReviewItem& item) {
  const Change& change = item.change;
  Json record;
  set_bytes(record, "path", change.path);
  record["change"] = to_word(change.kind);
  record["type"] = to_word(present(change).kind);
  if (change.before.exists()) {
    record["old_mode"] = fmt::format("{:04o}", change.before.mode);
  }
  if (change.after.exists()) {
    record["new_mode"] = fmt::format("{:04o}", change.after.mode);
    record["size"] = change.after.size;
  }
  if (change.kind == ChangeKind::TypeChanged) {
    record["old_type"] = to_word(change.before.kind);
  }
  if (change.kind == ChangeKind::Modified) {
    record["content_changed"] = change.content_changed;
    record["mode_changed"] = change.mode_changed;
    record["xattrs_changed"] = change.xattrs_changed;
    record["acl_changed"] = change.acl_changed;
  }
  if (const std::string left = left_out(change); !left.empty()) {
    record["left_out"] = left;
  }
  record["standing"] = to_word(item.standing);
  add_other_side(record, item);
  if (!item.sensitive.empty()) {
    record["sensitive"] = item.sensitive.str();
  }
  if (!item.remark.empty()) {
    record["remark"] = item.remark.str();
  }
  return record;
}

}  // namespace shadow::cli
