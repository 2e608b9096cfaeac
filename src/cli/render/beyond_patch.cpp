// SPDX-License-Identifier: MIT
#include "cli/render/beyond_patch.hpp"

#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "cli/render/item.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace shadow::cli {

namespace {

bool is_in_patches(EntryKind kind) {
  return kind == EntryKind::File || kind == EntryKind::Symlink || kind == EntryKind::Absent;
}

bool has_others_in_it(const std::vector<ReviewItem>& items, const ReviewItem& directory) {
  const std::string inside = directory.change.path + '/';
  const auto next = std::lower_bound(
      items.begin(), items.end(), inside,
      [](const ReviewItem& one, const std::string& path) { return one.change.path < path; });
  return next != items.end() && next->change.path.starts_with(inside);
}

// "fifo added", "file became directory"; empty where a patch has it.
std::string kind_beyond_patch(const std::vector<ReviewItem>& items, const ReviewItem& item) {
  const Change& change = item.change;
  const EntryKind before = change.before.kind;
  const EntryKind after = change.after.kind;
  const bool is_way = (before == EntryKind::Directory || after == EntryKind::Directory) &&
                      has_others_in_it(items, item);
  if ((is_in_patches(before) && is_in_patches(after)) || before == after || is_way) {
    return {};
  }
  if (change.kind == ChangeKind::TypeChanged) {
    return fmt::format("{} became {}", to_word(before), to_word(after));
  }
  const bool added = before == EntryKind::Absent;
  return fmt::format("{} {}", to_word(added ? after : before), added ? "added" : "deleted");
}

std::string remark(const ReviewItem& item, const std::vector<std::string>& parts,
                   std::string_view from) {
  return fmt::format("{} ({})", shown_path(item.change, from), join(parts, "; "));
}

}  // namespace

std::string beyond_patch_text(const std::vector<ReviewItem>& items,
                              const std::vector<std::string>& new_repositories,
                              std::string_view from) {
  std::vector<std::string> remarks;
  remarks.reserve(new_repositories.size());
  for (const std::string& path : new_repositories) {
    remarks.push_back(printable(relative_path(path, from)) + "/ (a new git repository)");
  }
  for (const ReviewItem& item : items) {
    std::vector<std::string> parts = {kind_beyond_patch(items, item), rights_beyond_patch(item)};
    std::erase(parts, std::string{});
    if (!parts.empty()) {
      remarks.push_back(remark(item, parts, from));
    }
  }
  return remarks.empty() ? std::string{} : "not in the patch: " + join(remarks, ", ");
}

std::string unlisted_text(const std::vector<ReviewItem>& items, std::string_view from) {
  std::vector<std::string> remarks;
  for (const ReviewItem& item : items) {
    if (const std::string kind = kind_beyond_patch(items, item); !kind.empty()) {
      remarks.push_back(remark(item, {kind}, from));
    }
  }
  return remarks.empty() ? std::string{} : "not listed: " + join(remarks, ", ");
}

}  // namespace shadow::cli
