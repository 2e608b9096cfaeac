// SPDX-License-Identifier: MIT
#include "commits/follow/follow_branch.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/git_names.hpp"
#include "commits/move/commit_arrived.hpp"
#include "commits/refs/commit_lock.hpp"
#include "commits/refs/commit_staging.hpp"
#include "commits/refs/ref_base.hpp"
#include "commits/refs/user_moves.hpp"
#include "git/commits/branch_work.hpp"
#include "git/commits/index_edit.hpp"
#include "git/repository/git_refs.hpp"
#include "overlay/format/look.hpp"
#include "promote/repository/git_ref_update.hpp"
#include "session/directory/followed_head.hpp"
#include "session/project/git_dir.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>

namespace shadow::commits {

namespace {

// As the project has it now. The size of the log first: a move after that is not missed.
session::FollowedHead head_now(const session::RealGitDir& real, bool in_project,
                               const std::string& own_prefix) {
  session::FollowedHead head;
  head.log = real.dir + "/logs/HEAD";
  head.log_size = session::log_size(head.log);
  head.commit = git::read_refs(git::disk_reader(real.dir)).head;
  head.index = (in_project ? "project/upper/" : "gitdir/upper/") + own_prefix + "index";
  return head;
}

// A path of a directory that leads nowhere else, whatever a run puts in its place.
std::string path_of(int dir) {
  return sys::proc_path(dir) + "/.";
}

class BranchFollowing {
 public:
  BranchFollowing(const session::ReviewSession& session, const SessionGit& git, const GitTree& tree)
      : session_{session},
        git_{git},
        place_{path_of(tree.own.get()), path_of(tree.common.get())},
        book_{session.state.path(), session.project.root},
        now_{head_now(git.real, git.in_project, git.own_prefix)},
        followed_{session::read_followed_head(session.dir)},
        real_{git::read_refs(git::disk_reader(git.real.dir))} {}

  [[nodiscard]] bool follow() {
    const git::Refs own = git::read_refs(git_.dirs.view);
    go_on_from_taken(own);
    bool done = true;
    bool moved_head = false;
    for (const BranchWork& work : git::branch_work(git_.dirs, 0)) {
      if (is_behind(work)) {
        const bool head = work.ref == own.head_ref;
        const bool moved = move_branch(work, head);
        done = done && moved;
        moved_head = moved_head || (head && moved);
      }
    }
    // The index that is checked out with a branch has come with it.
    if (done && !moved_head && !real_.head.empty()) {
      const git::Refs view = git::read_refs(git_.dirs.view);
      done = is_at_same_head(view, real_) || is_on_same_branch(view)
                 ? follow_index(steps_in_view(view, moves_since_followed()))
                 : has_head_of_its_own(view);
    }
    if (done && real_.head == now_.commit) {
      session::write_followed_head(session_.dir, now_);
    }
    return done;
  }

 private:
  [[nodiscard]] bool is_behind(const BranchWork& work) const {
    return work.ref.starts_with(git::kHeads) && !work.real_id.empty() &&
           has_arrived(session_, git_, work) &&
           (git::is_real_ancestor(git_.dirs, work.view_id, work.real_id) ||
            was_applied(session_, git_, work));
  }

  // Branches at which the user has arrived by hand, by a merge or a reset, are what the session
  // goes on from: what it commits next comes after that, and a step back of the user's from there
  // drops it.
  void go_on_from_taken(const git::Refs& own) const {
    for (const auto& [ref, id] : own.named) {
      const auto real = real_.named.find(ref);
      if (!ref.starts_with(git::kHeads) || id.empty() || real == real_.named.end() ||
          real->second != id || !is_own(git_.prefix + ref)) {
        continue;
      }
      const auto base = base_of_ref(session_, git_, ref);
      if (base && *base != id) {
        set_base_of_ref(session_, git_, ref, id);
      }
    }
  }

  // The index first: ended in between, the next time finds it as it is to be.
  bool move_branch(const BranchWork& work, bool head) {
    if (head && !follow_index({{work.view_id, work.real_id}})) {
      return false;
    }
    SHADOW_FAIL_POINT("follow-index-written");
    const promote::RefMove move{work.ref, work.view_id, work.real_id};
    std::string why;
    auto update = promote::RefUpdate::begin(place_, move, book_, why);
    if (!update) {
      return false;
    }
    update->commit(book_);
    SHADOW_FAIL_POINT("follow-branch-moved");
    set_base_of_ref(session_, git_, work.ref, work.real_id);
    promote::log_ref(place_, move, head, "shadow <shadow>", "shadow: follow the project");
    return true;
  }

  [[nodiscard]] static bool is_at_same_head(const git::Refs& a, const git::Refs& b) {
    return a.head == b.head && a.head_ref == b.head_ref;
  }

  // Of a branch with commits of its own the view has a later commit, unless the project's HEAD
  // moves just now.
  [[nodiscard]] bool is_on_same_branch(const git::Refs& view) const {
    return !view.head_ref.empty() && view.head_ref == real_.head_ref &&
           !is_own(git_.own_prefix + "HEAD") && is_own(git_.prefix + view.head_ref) &&
           is_at_same_head(git::read_refs(git::disk_reader(git_.real.dir)), real_);
  }

  // What the user's moves of HEAD were in the view, where a branch with commits of its own stays
  // what it is: who leaves such a branch leaves its tip there, and who enters it arrives there.
  [[nodiscard]] std::vector<UserMove> steps_in_view(const git::Refs& view,
                                                    const std::vector<UserMove>& moves) const {
    const auto own_tip = [&](const std::string& ref) {
      const auto own = view.named.find(ref);
      const auto real = real_.named.find(ref);
      const bool ahead = own != view.named.end() && is_own(git_.prefix + ref) &&
                         (real == real_.named.end() || real->second != own->second);
      return ahead ? own->second : std::string{};
    };
    const auto first = std::find_if(moves.begin(), moves.end(),
                                    [](const UserMove& move) { return !move.left.empty(); });
    std::string branch = first == moves.end() ? real_.head_ref : first->left;
    std::vector<UserMove> steps;
    for (const UserMove& move : moves) {
      const std::string left = own_tip(branch);
      if (move.left.empty()) {
        if (left.empty()) {
          steps.push_back(move);
        }
        continue;
      }
      branch = move.entered;
      const std::string entered = own_tip(branch);
      const std::string& to = entered.empty() ? move.to : entered;
      if (!left.empty()) {
        steps.push_back({left, to});
        continue;
      }
      // What the user applied after leaving it may be the session's tip still, for its index.
      for (const std::string& id : applied_commits(session_, move.left)) {
        if (!id.empty() && id != move.from && id != to) {
          steps.push_back({id, to});
        }
      }
      steps.push_back({move.from, to});
    }
    return steps;
  }

  // False when the view is at another commit because the project's HEAD moves just now: what is
  // noted as followed then is not followed later.
  [[nodiscard]] bool has_head_of_its_own(const git::Refs& view) const {
    return is_at_same_head(git::read_refs(git::disk_reader(git_.real.dir)), real_) &&
           (is_own(git_.own_prefix + "HEAD") || is_own(git_.prefix + "packed-refs") ||
            (!view.head_ref.empty() && is_own(git_.prefix + view.head_ref)));
  }

  // True if the layer has it, or hides it.
  [[nodiscard]] bool is_own(const std::string& path) const {
    return overlay::look_beneath(git_.upper.get(), path).exists();
  }

  // The oldest first.
  [[nodiscard]] std::vector<UserMove> moves_since_followed() const {
    const std::string followed = followed_ ? followed_->commit : "";
    if (followed_) {
      if (auto moves = user_moves_since(session_, git_, *followed_)) {
        std::reverse(moves->begin(), moves->end());
        return *std::move(moves);
      }
    }
    if (followed == real_.head) {
      return {};
    }
    std::vector<UserMove> moves = user_moves(session_, git_, "HEAD");
    // What an apply of this session's did is none of them: then only the next one tells of it.
    const auto left = std::find_if(moves.begin(), moves.end(), [&followed](const UserMove& move) {
      return move.to == followed || move.from == followed;
    });
    moves.erase(left != moves.end() && left->to != followed ? std::next(left) : left, moves.end());
    std::reverse(moves.begin(), moves.end());
    if (moves.empty() && !followed.empty()) {
      moves.push_back({followed, real_.head});  // git keeps no log of it
    }
    return moves;
  }

  // True also where there is nothing to do.
  bool follow_index(const std::vector<UserMove>& moves) {
    const sys::Fd index = moves.empty()
                              ? sys::Fd{}
                              : sys::try_open_beneath(place_.own(), "index", O_RDONLY | O_NONBLOCK);
    const Entry before = index ? overlay::look_fd(index.get()) : Entry{};
    if (before.kind != EntryKind::File || before.size > kMostFollowedIndex || !is_own_index()) {
      return true;
    }
    // What the locked time is too short for.
    const CommitStaging staging{session_.state.path()};
    const std::string copy = staging.path() + "/index";
    sys::copy_contents(
        index.get(),
        sys::open_path(copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, S_IRUSR | S_IWUSR).get());
    bool written = false;
    for (const UserMove& move : moves) {
      auto compared = git::compare_commits(git_.dirs, move.from, move.to);
      if (!compared.fault.empty()) {
        compared = git::compare_in_session(git_.dirs, move.from, move.to);
      }
      written = (compared.fault.empty() &&
                 git::edit_index(copy, compared.differences, {}, git::StagedEntries::StayAlone)
                     .written) ||
                written;
    }
    return !written || put_index(copy, before);
  }

  // Through the project's the view shows what the user's git wrote.
  [[nodiscard]] bool is_own_index() const {
    return overlay::look_beneath(git_.upper.get(), git_.own_prefix + "index").kind ==
           EntryKind::File;
  }

  // False when git has it locked, or has written it since.
  bool put_index(const std::string& copy, const Entry& before) {
    const auto text = sys::read_file_at(AT_FDCWD, copy, kMostFollowedIndex);
    auto lock = promote::GitLock::take(place_.own(), place_.own_path(), "index", book_);
    if (!text || !lock || !same_state(overlay::look_at(place_.own(), "index"), before)) {
      return false;
    }
    lock->write(*text, before.mode);
    lock->commit();
    return true;
  }

  const session::ReviewSession& session_;
  const SessionGit& git_;
  promote::GitPlace place_;
  promote::LockBook book_;
  session::FollowedHead now_;
  std::optional<session::FollowedHead> followed_;
  git::Refs real_;
};

}  // namespace

bool follow_branches(const session::ReviewSession& session, const SessionGit& git,
                     const GitTree& tree) {
  // A book of this process's would take the place of one that tells of the real repository's.
  promote::LockBook::clean_up(session.state.path(), session.project.root);
  remove_left_locks(tree, git);
  if (has_operation_in_progress(tree.own.get())) {
    return false;  // a rebase, say, which expects its branch where it was
  }
  return BranchFollowing{session, git, tree}.follow();
}

void note_followed(const session::ReviewSession& session) {
  const auto git = find_session_git(session);
  const auto real = session::real_git_dir(session.project.root);
  const bool in_project = real && real->dir == session.project.root + "/.git";
  if (git || in_project) {
    const session::FollowedHead head =
        head_now(git ? git->real : *real, in_project, git ? git->own_prefix : ".git/");
    // An index that is there by now may be of an earlier one.
    if (!head.commit.empty() && !overlay::look_beneath(session.dir.fd(), head.index).exists()) {
      session::write_followed_head(session.dir, head);
    }
  }
}

}  // namespace shadow::commits
