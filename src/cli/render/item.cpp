// SPDX-License-Identifier: MIT
#include "cli/render/item.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <vector>

namespace shadow::cli {

namespace {

const Entry& present(const Change& change) {
  return change.after.exists() ? change.after : change.before;
}

const char* sentence(Drift drift) {
  switch (drift) {
    case Drift::None:
      return "";
    case Drift::Changed:
      return "changed in the project too";
    case Drift::Appeared:
      return "appeared in the project meanwhile";
    case Drift::Vanished:
      break;
  }
  return "vanished from the project meanwhile";
}

char column(Drift drift) {
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

}  // namespace

std::string shown_path(const Change& change) {
  return printable(change.path) + (present(change).kind == EntryKind::Directory ? "/" : "");
}

std::string remarks(const ReviewItem& item) {
  const Change& change = item.change;
  std::vector<std::string> parts;
  if (change.kind == ChangeKind::TypeChanged) {
    parts.push_back(
        fmt::format("{} became {}", to_word(change.before.kind), to_word(change.after.kind)));
  }
  if (change.kind == ChangeKind::Modified && change.mode_changed) {
    parts.push_back(fmt::format("mode {:o} became {:o}", change.before.mode, change.after.mode));
  }
  if (change.kind == ChangeKind::Modified && change.xattrs_changed && !change.content_changed) {
    parts.emplace_back("extended attributes");
  }
  const EntryKind kind = present(change).kind;
  if (change.kind == ChangeKind::Added && kind != EntryKind::File && kind != EntryKind::Directory) {
    parts.emplace_back(to_word(kind));
  }
  if (item.drift != Drift::None) {
    parts.emplace_back(sentence(item.drift));
  }
  if (!item.sensitive.empty()) {
    parts.push_back("sensitive: " + item.sensitive);
  }
  return join(parts, "; ");
}

std::string porcelain_columns(const ReviewItem& item) {
  return {to_letter(item.change.kind), column(item.drift), item.sensitive.empty() ? '.' : 'S', ' '};
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
  }
  record["standing"] = to_word(item.standing);
  record["drift"] = to_word(item.drift);
  if (!item.sensitive.empty()) {
    record["sensitive"] = item.sensitive;
  }
  return record;
}

}  // namespace shadow::cli
