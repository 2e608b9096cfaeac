// SPDX-License-Identifier: MIT
#include "changes/dependents/moved_over.hpp"

#include "shadow/patch.hpp"

#include "review/renames.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace shadow::changes {
namespace {

using Files = std::vector<PatchFile>;

class Moves {
 public:
  explicit Moves(const session::ReviewSession& session)
      : session_{session}, blobs_{session.state.path()} {}

  void add(const Change& change, bool conflict) {
    const bool was_file = change.before.kind == EntryKind::File;
    if (conflict) {
      if (change.after.kind == EntryKind::File) {
        targets_.push_back(after_of(change));
        add_base(change.path);
      }
    } else if (was_file && change.kind == ChangeKind::Deleted) {
      deleted_.push_back(before_of(change));
    } else if (was_file && (change.kind == ChangeKind::TypeChanged || change.content_changed)) {
      changed_.push_back(&change);
    }
  }

  [[nodiscard]] Together pairs() {
    pair(std::move(deleted_));
    Files rewritten;
    for (const Change* change : changed_) {
      if (!targets_.empty() && is_rewritten(*change)) {
        rewritten.push_back(before_of(*change));
      }
    }
    pair(std::move(rewritten));
    return std::move(pairs_);
  }

 private:
  [[nodiscard]] PatchFile before_of(const Change& change) const {
    PatchFile file;
    file.path = change.path;
    file.before = change.before;
    file.before_content = {session_.lower.get(), change.path, {}};
    return file;
  }

  [[nodiscard]] PatchFile after_of(const Change& change) const {
    PatchFile file;
    file.path = change.path;
    file.after = change.after;
    file.after_content = {session_.upper.get(), change.path, {}};
    return file;
  }

  // What a target was made from, where that is known. It is a candidate like those that may have
  // been moved there: a file that was only edited keeps to its own, also beside one much like it.
  void add_base(const std::string& path) {
    const auto base = store::find_base(*session_.db, session_.row.id, path);
    if (!base || base->entry().kind != EntryKind::File || !base->content().is_stored()) {
      return;
    }
    if (const sys::Fd blob = blobs_.open(base->content().hash())) {
      PatchFile file;
      file.path = path;
      file.before = base->entry();
      file.before.ino = 0;  // the bytes are not those of the inode
      file.before_content = {-1, {}, sys::read_all(blob.get())};
      file.before.size = file.before_content.bytes->size();
      bases_.push_back(std::move(file));
    }
  }

  // True if the text is another one, as git would break such a pair.
  [[nodiscard]] bool is_rewritten(const Change& change) const {
    return change.after.kind != EntryKind::File ||
           review::find_renames({before_of(change), after_of(change)}, {}).empty();
  }

  // With the targets that have no partner yet.
  void pair(Files files) {
    if (files.empty() || targets_.empty()) {
      return;
    }
    const std::size_t moved = files.size();
    std::copy(bases_.begin(), bases_.end(), std::back_inserter(files));
    std::copy(targets_.begin(), targets_.end(), std::back_inserter(files));
    std::set<std::string> paired;
    for (const review::Rename& rename : review::find_renames(files, {})) {
      if (rename.from < moved) {
        pairs_.emplace_back(files[rename.from].path, files[rename.to].path);
        paired.insert(files[rename.to].path);
      }
    }
    std::erase_if(targets_, [&](const PatchFile& file) { return paired.count(file.path) != 0; });
  }

  const session::ReviewSession& session_;
  Files deleted_;
  std::vector<const Change*> changed_;
  store::Blobs blobs_;
  Files targets_;
  Files bases_;  // of targets
  Together pairs_;
};

}  // namespace

Together moved_over_conflicts(const session::ReviewSession& session,
                              const std::vector<ReviewItem>& items) {
  Moves moves{session};
  std::set<std::string_view> conflicts;  // and what is below; a new directory is an item itself
  for (const ReviewItem& item : items) {
    const bool conflict = item.resolution.verdict == Verdict::Conflict ||
                          conflicts.contains(sys::split_path(item.change.path).parent);
    if (conflict) {
      conflicts.insert(item.change.path);
    }
    moves.add(item.change, conflict);
  }
  return moves.pairs();
}

}  // namespace shadow::changes
