// SPDX-License-Identifier: MIT
#include "changes/shown_items.hpp"

#include "base/text.hpp"
#include "changes/dependents/dependents.hpp"
#include "changes/dependents/item_range.hpp"
#include "changes/moves/moved_over.hpp"
#include "changes/rename_pairs.hpp"
#include "changes/review_set.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "session/selection/selection.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <fcntl.h>

namespace shadow::changes {

namespace {

bool is_conflict(const ReviewItem& item) {
  return item.resolution.verdict == Verdict::Conflict;
}

// By the number of the item in place of a directory, the path of what stays in that directory.
void mark_over_full_directories(std::vector<ReviewItem>& items,
                                const std::vector<std::string>& staying) {
  for (ReviewItem& item : items) {
    const Change& change = item.change;
    if (change.kind != ChangeKind::TypeChanged || change.before.kind != EntryKind::Directory ||
        is_conflict(item) || !item.depends_on.empty()) {
      continue;
    }
    const auto stays = std::lower_bound(staying.begin(), staying.end(), change.path + '/');
    if (stays != staying.end() && is_at_or_below(*stays, change.path)) {
      item.depends_on = *stays;
    }
  }
}

// A directory of the session's that the project has not: in conflict where something else is there,
// or where the project had it once.
bool may_be_in_conflict(const session::ReviewSession& session, const std::string& path) {
  if (overlay::look_beneath(session.lower.get(), path).exists()) {
    return true;
  }
  const auto base = store::find_base(*session.db, session.row.id, path);
  return (base && !base->is_absent()) || overlay::is_copied_up(session.upper.get(), path);
}

// Directories that were not selected and that the selected items need, as far as they may be in
// conflict.
std::set<std::string> needed_above(const session::ReviewSession& session,
                                   const std::vector<ReviewItem>& items) {
  std::set<std::string> needed;
  std::unordered_set<std::string_view> seen;  // and all that are above them
  for (const ReviewItem& item : items) {
    if (!item.change.after.exists()) {
      continue;
    }
    for (std::string_view above = sys::split_path(item.change.path).parent;
         !above.empty() && seen.insert(above).second; above = sys::split_path(above).parent) {
      const std::string path{above};
      if (find_item(items, path)) {
        continue;
      }
      if (overlay::look_beneath(session.lower.get(), path).kind == EntryKind::Directory) {
        break;
      }
      if (may_be_in_conflict(session, path)) {
        needed.insert(path);
      }
    }
  }
  return needed;
}

void mark_below_unselected(const session::ReviewSession& session, std::vector<ReviewItem>& items) {
  const std::set<std::string> needed = needed_above(session, items);
  if (needed.empty()) {
    return;
  }
  const ReviewSet above =
      review_changes(session, session::select_literally(needed, session.project), WalkGitDirs::No);
  for (const ReviewItem& directory : above.items) {
    if (needed.count(directory.change.path) == 0 || !is_conflict(directory)) {
      continue;
    }
    const ItemRange below = items_below(items, directory.change.path);
    for (std::size_t i = below.begin; i < below.end; ++i) {
      if (items[i].depends_on.empty()) {
        items[i].depends_on = directory.change.path;
      }
    }
  }
}

void mark_dependents(const session::ReviewSession& session, std::vector<ReviewItem>& items) {
  std::set<std::size_t> all;
  std::set<std::size_t> conflicts;
  for (std::size_t i = 0; i < items.size(); ++i) {
    all.insert(all.end(), i);
    if (is_conflict(items[i])) {
      conflicts.insert(conflicts.end(), i);
    }
  }
  Together together = names_of_one_file(items);
  for (auto& pair : moved_over_conflicts(session, items)) {
    together.push_back(std::move(pair));
  }
  for (const auto& [i, because] : dependents_of(items, all, conflicts, together)) {
    items[i].depends_on = items[because].change.path;
  }
}

}  // namespace

std::vector<ReviewItem> shown_items(const session::ReviewSession& session, ReviewSet set,
                                    IgnoredItems ignored) {
  std::vector<std::string> staying = std::move(set.old_git_dirs);
  std::erase_if(set.items, [&](const ReviewItem& item) {
    const bool left_out = item.standing != Standing::Normal &&
                          (ignored == IgnoredItems::LeaveOut || item.standing != Standing::Ignored);
    if (left_out) {
      staying.push_back(item.change.path);
    }
    return left_out;
  });
  std::vector<ReviewItem> items = std::move(set.items);
  pair_renames(session, items);
  if (std::any_of(items.begin(), items.end(), is_conflict)) {
    mark_dependents(session, items);
    for (const ReviewItem& item : items) {
      if (is_conflict(item) || !item.depends_on.empty()) {
        staying.push_back(item.change.path);
      }
    }
  }
  std::sort(staying.begin(), staying.end());
  mark_over_full_directories(items, staying);
  mark_below_unselected(session, items);
  return items;
}

}  // namespace shadow::changes
