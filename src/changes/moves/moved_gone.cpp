// SPDX-License-Identifier: MIT
#include "changes/moves/moved_gone.hpp"

#include "changes/moves/find_moves.hpp"
#include "changes/moves/gone_files.hpp"
#include "changes/moves/move_sides.hpp"
#include "overlay/format/format.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace shadow::changes {
namespace {

// With what the session has replaced by a link, and with directories that it deletes, or has made
// anew: what the project has no more in one went with it. Also with a directory or a link of the
// project's that may have come where the session had moved a file from. What lies in a deleted
// directory goes with that: the cost is linear at any depth.
std::vector<std::string> with_replaced(const session::ReviewSession& session,
                                       std::vector<std::string> gone,
                                       const std::vector<ReviewItem>& items) {
  std::unordered_set<std::string_view> deleted;
  std::string_view last;  // the items are sorted
  for (const ReviewItem& item : items) {
    const Change& change = item.change;
    const std::string_view parent = sys::split_path(change.path).parent;
    const bool in_deleted = deleted.count(parent) != 0;
    if (item.drift == Drift::Vanished && change.after.kind == EntryKind::Symlink) {
      gone.push_back(change.path);
    }
    const bool was_directory = change.before.kind == EntryKind::Directory;
    const bool was_other = change.before.exists() && change.before.kind != EntryKind::File;
    if (was_other && !(was_directory && change.after.kind == EntryKind::Directory)) {
      if (was_directory) {
        deleted.insert(change.path);
      }
      if (!in_deleted) {
        gone.push_back(change.path);
      }
    }
    if (change.before.exists() && !change.after.exists() && !in_deleted && !parent.empty() &&
        parent != last) {
      last = parent;
      if (overlay::is_opaque_directory(session.upper.get(), parent)) {
        gone.emplace_back(last);
      }
    }
  }
  return gone;
}

// An entry that is new in the view, and was copied up, is a file of the project's that the session
// has moved (a copy has no origin).
bool is_moved_here(const session::ReviewSession& session, const ReviewItem& item) {
  return item.change.copied_up && is_readable(session.upper.get(), item.change.path);
}

Sizes sizes_of(const std::vector<ReviewItem*>& items) {
  std::vector<std::uint64_t> all;
  all.reserve(items.size());
  for (const ReviewItem* item : items) {
    all.push_back(item->change.after.size);
  }
  return Sizes{std::move(all)};
}

void set_conflict(ReviewItem& item) {
  const bool over_another = item.change.before.exists();
  item.drift = over_another ? Drift::Changed : Drift::Vanished;
  item.resolution = Resolution{};
  item.resolution.verdict = Verdict::Conflict;
  item.resolution.clash = over_another ? Clash::TakesBack : Clash::GoneInProject;
}

// Makes conflicts of the targets that were made from what went with a deletion. Returns those
// deletions.
std::set<std::string> judge_by_deletions(const session::ReviewSession& session, KnownPaths& known,
                                         const std::vector<std::string>& deletions,
                                         const std::vector<ReviewItem>& items,
                                         const Targets& targets) {
  GoneFiles gone{session, known, sizes_of(targets)};
  for (const std::string& path : deletions) {
    gone.note_deletion(path);
  }
  std::vector<PatchFile> of_both = gone.as_deleted();
  if (of_both.empty()) {
    return {};
  }
  // The session's own come first: of equal files the first is taken.
  std::vector<PatchFile> files = deleted_by_session(session, items, sizes_of(targets));
  const std::size_t own = files.size();
  files.insert(files.end(), of_both.begin(), of_both.end());
  std::set<std::string> rests_on;
  for (const review::Rename& pair : find_moves(session, files, targets)) {
    if (pair.from >= own) {
      set_conflict(*targets[pair.to]);
      rests_on.insert(gone.deletion_of(files[pair.from].path));
    }
  }
  return rests_on;
}

// Of most moves the old name is a deletion of the session's. A file that was not edited has its
// size and time, and need not be read.
void leave_out_moved(const session::ReviewSession& session, const std::vector<ReviewItem>& items,
                     Targets& targets) {
  std::set<std::pair<std::uint64_t, std::int64_t>> gone;
  for (const ReviewItem& item : items) {
    if (item.change.kind == ChangeKind::Deleted) {
      gone.emplace(item.change.before.size, item.change.before.mtime_ns);
    }
  }
  std::erase_if(targets, [&gone](const ReviewItem* item) {
    return gone.count({item->change.after.size, item->change.after.mtime_ns}) != 0;
  });
  std::set<const ReviewItem*> moved;
  std::vector<PatchFile> deleted = deleted_by_session(session, items, sizes_of(targets));
  for (const review::Rename& pair : find_moves(session, std::move(deleted), targets)) {
    moved.insert(targets[pair.to]);
  }
  std::erase_if(targets, [&moved](const ReviewItem* item) { return moved.count(item) != 0; });
}

void judge_by_gone(const session::ReviewSession& session, const GoneFiles& gone,
                   const Targets& targets) {
  for (const review::Rename& pair : find_moves(session, gone.as_deleted(), targets)) {
    set_conflict(*targets[pair.to]);
  }
  for (ReviewItem* target : targets) {
    if (gone.may_be_unread(target->change.after)) {
      set_conflict(*target);
    }
  }
}

// A new file of which no deletion tells what it was.
bool is_unexplained(const ReviewItem& item) {
  return item.change.kind == ChangeKind::Added && item.drift == Drift::None;
}

// A discard has given the old name back of such a file: it is a copy (discard/left_copies).
bool is_left_copy(KnownPaths& known, const ReviewItem& item) {
  const auto row = known.rows().find(item.change.path);
  return row != known.rows().end() && row->second.is_absent() &&
         row->second.source() == BaseSource::Apply;
}

// What the user has deleted first leaves no deletion when the session moves it. Each path whose
// base is known is looked up then.
void judge_by_origin(const session::ReviewSession& session, KnownPaths& known,
                     const std::vector<ReviewItem>& items, Targets targets) {
  std::erase_if(targets, [](const ReviewItem* item) { return !is_unexplained(*item); });
  if (!targets.empty()) {
    leave_out_moved(session, items, targets);
  }
  if (targets.empty()) {
    return;
  }
  GoneFiles gone{session, known, sizes_of(targets)};
  gone.note_all();
  judge_by_gone(session, gone, targets);
}

// Of a file that was there before the origin tells nothing: it may be its own. Nor has one an
// origin that was written anew before it was moved. Only what the session is known to have had, and
// has no more, can have been moved there.
void judge_by_taken_away(const session::ReviewSession& session, KnownPaths& known,
                         const std::vector<ReviewItem>& items, Targets targets) {
  if (targets.empty()) {
    return;
  }
  GoneFiles gone{session, known, sizes_of(targets)};
  gone.note_taken_away(items);
  if (!gone.empty()) {
    leave_out_moved(session, items, targets);
    judge_by_gone(session, gone, targets);
  }
}

}  // namespace

std::set<std::string> judge_moved_gone(const session::ReviewSession& session,
                                       const std::vector<std::string>& deleted_by_both,
                                       std::vector<ReviewItem>& items) {
  KnownPaths known{session};
  Targets targets;
  std::size_t new_names = 0;
  std::size_t others = 0;
  for (ReviewItem& item : items) {
    if ((may_be_new_name(item) && new_names++ < kMostFilesOfMoves) ||
        (may_be_moved_over(item) && others++ < kMostFilesOfMoves)) {
      targets.push_back(&item);
    }
  }
  std::erase_if(targets, [&known](const ReviewItem* item) { return is_left_copy(known, *item); });
  if (targets.empty()) {
    return {};
  }
  std::set<std::string> rests_on;
  const std::vector<std::string> deletions = with_replaced(session, deleted_by_both, items);
  if (!deletions.empty()) {
    rests_on = judge_by_deletions(session, known, deletions, items, targets);
  }
  const auto without_origin = std::stable_partition(
      targets.begin(), targets.end(),
      [&session](const ReviewItem* item) { return is_moved_here(session, *item); });
  Targets of_bases;
  std::copy_if(without_origin, targets.end(), std::back_inserter(of_bases),
               [](const ReviewItem* item) { return is_unexplained(*item); });
  targets.erase(without_origin, targets.end());
  judge_by_origin(session, known, items, targets);
  std::copy_if(targets.begin(), targets.end(), std::back_inserter(of_bases),
               [](const ReviewItem* item) { return may_be_moved_over(*item); });
  judge_by_taken_away(session, known, items, std::move(of_bases));
  return rests_on;
}

}  // namespace shadow::changes
