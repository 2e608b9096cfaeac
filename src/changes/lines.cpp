// SPDX-License-Identifier: MIT
#include "changes/lines.hpp"

#include "base/text.hpp"

#include <cstddef>
#include <utility>

namespace shadow::changes {

bool is_directory(const Change& change) {
  return (change.after.exists() ? change.after : change.before).kind == EntryKind::Directory;
}

namespace {

// The entries in a new directory show that it is there, but not what others may do in it.
bool has_rights_to_show(const Change& change) {
  return change.kind == ChangeKind::Added &&
         (change.beyond_umask != 0 || change.acl_changed || change.left_bits != 0);
}

// True if a directory is shown by what is in it: `next` is the item that follows, if any. A
// directory in conflict has that to show, whatever is in it.
bool is_shown_by_next(const ReviewItem& item, const ReviewItem* next) {
  return is_directory(item.change) && next != nullptr && !has_rights_to_show(item.change) &&
         item.resolution.verdict != Verdict::Conflict &&
         (item.change.kind == ChangeKind::Added || item.change.kind == ChangeKind::Deleted) &&
         is_at_or_below(next->change.path, item.change.path);
}

}  // namespace

bool can_be_taken(const ReviewItem& item) {
  return item.standing == Standing::Normal && item.resolution.verdict != Verdict::Nothing;
}

std::uint64_t count_takeable(const std::vector<ReviewItem>& items) {
  std::uint64_t lines = 0;
  const ReviewItem* last = nullptr;
  for (const ReviewItem& item : items) {
    if (!can_be_taken(item)) {
      continue;
    }
    if (last == nullptr || !is_shown_by_next(*last, &item)) {
      ++lines;  // else in the place of the directory's
    }
    last = &item;
  }
  return lines;
}

}  // namespace shadow::changes

namespace shadow {

std::vector<ReviewItem> listable(std::vector<ReviewItem> items) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const ReviewItem* next = i + 1 < items.size() ? &items[i + 1] : nullptr;
    if (changes::is_shown_by_next(items[i], next)) {
      continue;
    }
    if (kept != i) {
      items[kept] = std::move(items[i]);
    }
    ++kept;
  }
  items.resize(kept);
  return items;
}

std::vector<const ReviewItem*> listable(std::vector<const ReviewItem*> items) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const ReviewItem* next = i + 1 < items.size() ? items[i + 1] : nullptr;
    if (!changes::is_shown_by_next(*items[i], next)) {
      items[kept++] = items[i];
    }
  }
  items.resize(kept);
  return items;
}

std::vector<const ReviewItem*> borrowed(const std::vector<ReviewItem>& items) {
  std::vector<const ReviewItem*> pointers;
  pointers.reserve(items.size());
  for (const ReviewItem& item : items) {
    pointers.push_back(&item);
  }
  return pointers;
}

const char* to_word(Standing standing) {
  switch (standing) {
    case Standing::Normal:
      return "normal";
    case Standing::Ignored:
      return "ignored";
    case Standing::GitDir:
      break;
  }
  return "git-dir";
}

const char* to_word(Drift drift) {
  switch (drift) {
    case Drift::None:
      return "none";
    case Drift::Changed:
      return "changed";
    case Drift::Appeared:
      return "appeared";
    case Drift::Vanished:
      break;
  }
  return "vanished";
}

}  // namespace shadow
