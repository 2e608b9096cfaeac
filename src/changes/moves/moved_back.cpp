// SPDX-License-Identifier: MIT
#include "changes/moves/moved_back.hpp"

#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "changes/moves/find_moves.hpp"
#include "changes/moves/gone_files.hpp"
#include "changes/moves/move_sides.hpp"
#include "store/contents/blobs.hpp"
#include "sys/files/quiet_open.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>

namespace shadow::changes {
namespace {

struct DeletedFile {
  std::string path;
  std::optional<std::string> hash;  // of the project's file, read when first asked for
};

// By size and time of last modification: a rename keeps both, in the project as in an overlay.
using Deleted = std::multimap<std::pair<std::uint64_t, std::int64_t>, DeletedFile>;

Deleted deleted_files(const std::vector<ReviewItem>& items) {
  Deleted deleted;
  for (const ReviewItem& item : items) {
    const Entry& before = item.change.before;
    if (item.change.kind == ChangeKind::Deleted && before.kind == EntryKind::File) {
      deleted.emplace(std::pair{before.size, before.mtime_ns}, DeletedFile{item.change.path, {}});
    }
  }
  return deleted;
}

// Empty if it is unreadable, or changes just now.
std::string hash_at(int root, const std::string& path) try {
  const sys::Fd file = sys::try_open_quietly(root, path, O_RDONLY | O_NONBLOCK);
  return file ? to_hex(store::hash_file(file.get())) : std::string{};
} catch (const Error&) {
  return {};
}

// True if the session deletes the file that it has here, as another one of the project's.
bool is_moved(const session::ReviewSession& session, const Change& kept, Deleted& deleted) {
  const Entry& own = kept.after;
  const auto [first, last] = deleted.equal_range({own.size, own.mtime_ns});
  if (own.kind != EntryKind::File || own.size == 0 || first == last) {
    return false;
  }
  const std::string hash = hash_at(session.upper.get(), kept.path);
  return !hash.empty() && std::any_of(first, last, [&](auto& entry) {
    DeletedFile& file = entry.second;
    if (is_at_or_below(file.path, kept.path)) {
      return false;  // deleted because this file hides it
    }
    if (!file.hash) {
      file.hash = hash_at(session.lower.get(), file.path);
    }
    return *file.hash == hash;
  });
}

// True if the session's file is the project's with an edit: the user has not moved that.
bool is_edit(const session::ReviewSession& session, const Change& change) {
  if (change.before.kind != EntryKind::File || !is_readable(session.lower.get(), change.path)) {
    return false;
  }
  const std::vector<PatchFile> sides{real_side(session, change), added_side(session, change)};
  return !review::find_renames(sides, options_of_moves()).empty();
}

// What was written at the old name, as git does it, or edited by the user at the new one: like what
// the session deletes, of the files that came since it began.
std::set<std::string> like_deleted(const session::ReviewSession& session,
                                   const std::vector<ReviewItem>& items,
                                   const std::vector<ReviewItem>& behind) {
  std::vector<const ReviewItem*> targets;
  std::vector<std::uint64_t> all;
  for (const ReviewItem& kept : behind) {
    if (targets.size() < kMostFilesOfMoves && kept.change.after.kind == EntryKind::File &&
        kept.standing != Standing::GitDir && is_readable(session.upper.get(), kept.change.path)) {
      targets.push_back(&kept);
      all.push_back(kept.change.after.size);
    }
  }
  if (targets.empty()) {
    return {};
  }
  std::vector<PatchFile> files = deleted_by_session(session, items, Sizes{std::move(all)});
  KnownPaths known{session};
  if (files.empty() || known.tree() == nullptr) {
    return {};
  }
  std::erase_if(files, [&known](const PatchFile& file) {
    return !bases::came_since(*known.tree(), file.path, file.before);
  });
  const std::size_t first = files.size();
  for (const ReviewItem* kept : targets) {
    files.push_back(added_side(session, kept->change));
  }
  std::set<std::string> found;
  for (const review::Rename& move : review::find_renames(files, options_of_moves())) {
    const ReviewItem& kept = *targets[move.to - first];
    const bool hidden = is_at_or_below(files[move.from].path, kept.change.path);
    if (!hidden && !is_edit(session, kept.change)) {
      found.insert(kept.change.path);
    }
  }
  return found;
}

}  // namespace

void judge_moved_back(const session::ReviewSession& session, std::vector<ReviewItem>& items,
                      std::vector<ReviewItem>& behind) {
  Deleted deleted = behind.empty() ? Deleted{} : deleted_files(items);
  if (deleted.empty()) {
    return;
  }
  const std::set<std::string> like = like_deleted(session, items, behind);
  const auto old_end = static_cast<std::ptrdiff_t>(items.size());
  std::erase_if(behind, [&](ReviewItem& kept) {
    if (like.count(kept.change.path) == 0 && !is_moved(session, kept.change, deleted)) {
      return false;
    }
    kept.resolution.verdict = Verdict::Conflict;
    kept.resolution.clash = kept.change.before.exists() ? Clash::TakesBack : Clash::GoneInProject;
    items.push_back(std::move(kept));
    return true;
  });
  std::inplace_merge(
      items.begin(), items.begin() + old_end, items.end(),
      [](const ReviewItem& a, const ReviewItem& b) { return a.change.path < b.change.path; });
}

}  // namespace shadow::changes
