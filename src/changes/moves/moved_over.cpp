// SPDX-License-Identifier: MIT
#include "changes/moves/moved_over.hpp"

#include "shadow/patch.hpp"

#include "bases/tree/base_tree.hpp"
#include "changes/moves/gone_files.hpp"
#include "changes/moves/move_sides.hpp"
#include "overlay/format/look.hpp"
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

constexpr unsigned kSame = 100;  // of review::Rename's similarity

class Moves {
 public:
  explicit Moves(const session::ReviewSession& session)
      : session_{session}, blobs_{session.state.path()}, known_{session} {}

  void add(const Change& change, bool conflict) {
    const bool was_file = change.before.kind == EntryKind::File;
    if (conflict) {
      if (change.after.kind == EntryKind::File) {
        targets_.push_back(added_side(session_, change));
      }
    } else if (was_file && change.kind == ChangeKind::Deleted) {
      deleted_.push_back(real_side(session_, change));
    } else if (was_file && (change.kind == ChangeKind::TypeChanged || change.content_changed)) {
      changed_.push_back(&change);
    }
  }

  [[nodiscard]] Together pairs() {
    Files rewritten;
    for (const Change* change : changed_) {
      if (!targets_.empty() && is_rewritten(*change)) {
        rewritten.push_back(real_side(session_, *change));
      }
    }
    for (std::size_t known = 0; !targets_.empty();) {
      pair(deleted_);
      pair(rewritten);
      if (pairs_.size() == known) {
        break;
      }
      add_staying_since(std::exchange(known, pairs_.size()));
    }
    return std::move(pairs_);
  }

 private:
  // A file that stays where it is, because its text went to a conflict, keeps out of the project
  // what the session has moved to its place.
  void add_staying_since(std::size_t known) {
    for (std::size_t i = known; i < pairs_.size(); ++i) {
      const auto stays = std::find_if(changed_.begin(), changed_.end(), [&](const Change* change) {
        return change->path == pairs_[i].first;
      });
      if (stays != changed_.end() && (*stays)->after.kind == EntryKind::File) {
        targets_.push_back(added_side(session_, **stays));
      }
    }
  }

  [[nodiscard]] bool may_be_moved_by_user(const PatchFile& source) {
    const bases::BaseTree* tree = known_.tree();
    return tree != nullptr && bases::came_since(*tree, source.path, source.before);
  }

  // True if the project still has there what that was: the user has not moved it away.
  [[nodiscard]] bool is_still_there(const PatchFile& was) const {
    PatchFile now;
    now.path = was.path;
    now.after = overlay::look_beneath(session_.lower.get(), was.path);
    now.after_content = {session_.lower.get(), was.path, {}};
    return now.after.kind == EntryKind::File && !review::find_renames({was, now}, {}).empty();
  }

  // A file that was only edited keeps to what it was made from, also beside one just like that. One
  // that is as it was has been put there again: what was moved there may have it from elsewhere.
  [[nodiscard]] bool is_rather_of_base(const PatchFile& source, const PatchFile& target,
                                       unsigned similarity) {
    const auto base = store::find_base(*session_.db, session_.row.id, target.path);
    if (!base || base->entry().kind != EntryKind::File || !base->content().is_stored()) {
      return false;
    }
    const sys::Fd blob = blobs_.open(base->content().hash());
    if (!blob) {
      return false;
    }
    const PatchFile file =
        deleted_side(target.path, base->entry(), sys::read_all(blob.get(), base->entry().size));
    const auto found = review::find_renames({file, target}, {});
    return !found.empty() && found.front().similarity >= similarity && similarity < kSame &&
           (!may_be_moved_by_user(source) || is_still_there(file));
  }

  // True if the text is another one, as git would break such a pair.
  [[nodiscard]] bool is_rewritten(const Change& change) const {
    return change.after.kind != EntryKind::File ||
           review::find_renames({real_side(session_, change), added_side(session_, change)}, {})
               .empty();
  }

  // With the targets that have no partner yet.
  void pair(Files& sources) {
    if (sources.empty() || targets_.empty()) {
      return;
    }
    Files files = sources;
    std::copy(targets_.begin(), targets_.end(), std::back_inserter(files));
    std::set<std::string> paired;
    std::set<std::string> left;
    for (const review::Rename& rename : review::find_renames(files, {})) {
      if (!is_rather_of_base(files[rename.from], files[rename.to], rename.similarity)) {
        pairs_.emplace_back(files[rename.from].path, files[rename.to].path);
        paired.insert(files[rename.to].path);
        left.insert(files[rename.from].path);
      }
    }
    std::erase_if(targets_, [&](const PatchFile& file) { return paired.count(file.path) != 0; });
    std::erase_if(sources, [&](const PatchFile& file) { return left.count(file.path) != 0; });
  }

  const session::ReviewSession& session_;
  Files deleted_;
  std::vector<const Change*> changed_;
  store::Blobs blobs_;
  KnownPaths known_;
  Files targets_;
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
