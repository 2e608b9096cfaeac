// SPDX-License-Identifier: MIT
#include "hunks/pick.hpp"

#include "review/content.hpp"
#include "review/hunks.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <sys/stat.h>

namespace shadow::hunks {

namespace {

// Nobody reads the hunks of a larger file.
constexpr std::uint64_t kMostToPick = std::uint64_t{64} << 20U;

constexpr unsigned kContextLines = 3;

bool is_directory(const Entry& entry) {
  return entry.kind == EntryKind::Directory;
}

bool stands_for_others(const Change& change) {
  if (change.kind == ChangeKind::TypeChanged) {
    return is_directory(change.before) || is_directory(change.after);
  }
  return change.kind == ChangeKind::Added && is_directory(change.after) &&
         sys::split_path(change.path).name == ".git";
}

bool is_whole_directory(const Change& change) {
  return (change.kind == ChangeKind::Added && is_directory(change.after)) ||
         (change.kind == ChangeKind::Deleted && is_directory(change.before));
}

using PathSet = std::set<std::string, std::less<>>;

PathSet parents_of(const std::vector<ReviewItem>& items) {
  PathSet parents;
  for (const ReviewItem& item : items) {
    std::string_view above = sys::split_path(item.change.path).parent;
    for (; !above.empty() && parents.count(above) == 0; above = sys::split_path(above).parent) {
      parents.emplace(above);
    }
  }
  return parents;
}

bool takes_part(const Part& part) {
  return part.decision == Decision::Taken;
}

Part part_of(PartKind kind) {
  Part part;
  part.kind = kind;
  return part;
}

void add_content(const session::ReviewSession& session, const Offer& offer, Shown shown,
                 Texts& texts, std::vector<Part>& parts) {
  const std::vector<PatchFile> files = files_of(session, offer, offer.item, shown);
  auto read = files.empty() ? std::nullopt : read_texts(files.front());
  const bool runs = read && (files.front().after.mode & S_IXUSR) != 0;
  auto hunks = read ? review::find_hunks(read->before, read->after, kContextLines,
                                         runs ? review::Executable::Yes : review::Executable::No)
                    : std::nullopt;
  if (!hunks) {
    parts.push_back(part_of(PartKind::Whole));
    return;
  }
  for (Hunk& hunk : *hunks) {
    parts.push_back(part_of(PartKind::Hunk));
    parts.back().hunk = std::move(hunk);
  }
  texts = std::move(*read);
}

}  // namespace

bool takes(const Pick& pick, PartKind kind) {
  return std::any_of(pick.parts.begin(), pick.parts.end(),
                     [kind](const Part& part) { return part.kind == kind && takes_part(part); });
}

bool takes_nothing(const Pick& pick) {
  return std::none_of(pick.parts.begin(), pick.parts.end(), takes_part);
}

bool takes_everything(const Pick& pick) {
  return std::all_of(pick.parts.begin(), pick.parts.end(),
                     [](const Part& part) { return takes_part(part) && !part.edited; });
}

std::vector<Hunk> taken_hunks(const Pick& pick) {
  std::vector<Hunk> hunks;
  for (const Part& part : pick.parts) {
    if (part.kind == PartKind::Hunk && takes_part(part)) {
      hunks.push_back(part.hunk);
    }
  }
  return hunks;
}

std::vector<Offer> make_offers(const std::vector<ReviewItem>& items, const Asked& asked) {
  const PathSet parents = parents_of(items);
  std::vector<Offer> offers;
  std::map<std::string, std::size_t, std::less<>> groups;
  for (const ReviewItem& item : items) {
    auto group = groups.end();
    std::string_view above = sys::split_path(item.change.path).parent;
    for (; !above.empty() && group == groups.end(); above = sys::split_path(above).parent) {
      group = groups.find(above);
    }
    if (group != groups.end()) {
      offers[group->second].with.push_back(item);
      continue;
    }
    const bool group_head = stands_for_others(item.change);
    if (!asked(item) ||
        (!group_head && is_whole_directory(item.change) && parents.count(item.change.path) != 0)) {
      continue;
    }
    if (group_head) {
      groups.emplace(item.change.path, offers.size());
    }
    offers.push_back({{item, {}}, {}});
  }
  return offers;
}

std::optional<Texts> read_texts(const session::ReviewSession& session, const ReviewItem& item,
                                Shown shown) {
  const std::vector<PatchFile> files = changes::patch_files(session, {item}, shown);
  return files.empty() ? std::nullopt : read_texts(files.front());
}

std::vector<PatchFile> files_of(const session::ReviewSession& session, const Offer& offer,
                                const ReviewItem& item, Shown shown) {
  if (!offer.held || item.standing == Standing::GitDir) {
    return changes::patch_files(session, {item}, shown);
  }
  const auto file = offer.held->find(item.change.path);
  return file == offer.held->end() ? std::vector<PatchFile>{} : std::vector{file->second};
}

std::optional<Texts> read_texts(const PatchFile& file) {
  if (file.before.kind != EntryKind::File || file.after.kind != EntryKind::File) {
    return std::nullopt;
  }
  const review::FileVersion before = review::before_of(file);
  const review::FileVersion after = review::after_of(file);
  if (review::content_size(before) > kMostToPick || review::content_size(after) > kMostToPick) {
    return std::nullopt;
  }
  return Texts{review::read_content(before, kMostToPick), review::read_content(after, kMostToPick)};
}

std::vector<Part> parts_of(const session::ReviewSession& session, const Offer& offer, Shown shown,
                           Texts& texts) {
  const Change& change = offer.item.change;
  std::vector<Part> parts;
  if (change.kind == ChangeKind::Added) {
    parts.push_back(part_of(PartKind::Addition));
  } else if (change.kind == ChangeKind::Deleted) {
    parts.push_back(part_of(PartKind::Deletion));
  } else if (change.kind == ChangeKind::Modified && change.after.kind == EntryKind::File &&
             std::max(change.before.size, change.after.size) <= kMostToPick) {
    // The mode first, as git has it.
    if (change.mode_changed) {
      parts.push_back(part_of(PartKind::Mode));
    }
    if (change.xattrs_changed || change.acl_changed) {
      parts.push_back(part_of(PartKind::Attributes));
    }
    if (change.content_changed) {
      add_content(session, offer, shown, texts, parts);
    }
  }
  if (parts.empty()) {
    const bool only_mode = change.kind == ChangeKind::Modified && change.mode_changed &&
                           !change.content_changed && !change.xattrs_changed && !change.acl_changed;
    parts.push_back(part_of(only_mode ? PartKind::Mode : PartKind::Whole));
  }
  return parts;
}

}  // namespace shadow::hunks
