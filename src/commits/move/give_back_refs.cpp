// SPDX-License-Identifier: MIT
#include "commits/move/give_back_refs.hpp"

#include "base/fail_point.hpp"
#include "bases/ledger/seen.hpp"
#include "commits/refs/ref_base.hpp"
#include "overlay/format/look.hpp"
#include "overlay/write/raise.hpp"
#include "session/directory/idle.hpp"
#include "session/directory/live_runs.hpp"
#include "store/tables/bases.hpp"

namespace shadow::commits {

RefGiveBack::RefGiveBack(const session::ReviewSession& session) : session_{session} {
  lock_ = session::lock_session(session.dir, "undo");
  idle_ = session::try_lock_unkept(session.dir);
  if (idle_) {
    session::wait_for_recorded(session.dir);
    // Without a git directory of its own the session has none to keep refs in.
    overlay::Raiser raiser{{session.upper.get(), session.dir.fd()}, session.lower.get()};
    const Entry real = overlay::look_beneath(session.lower.get(), ".git");
    if (real.kind == EntryKind::Directory && raiser.copy_up(".git")) {
      bases::note_placed(*session.db, session.row.id, session.upper.get(), {".git"});
    }
  }
  git_ = find_session_git(session);
}

void RefGiveBack::raise(const std::string& path) {
  overlay::Raiser raiser{{git_->upper.get(), session_.dir.fd()}, git_->lower.get()};
  if (overlay::look_beneath(git_->lower.get(), path).exists() && raiser.copy_up(path) &&
      git_->in_project) {
    bases::note_placed(*session_.db, session_.row.id, session_.upper.get(), {path});
  }
}

bool RefGiveBack::keep_view(const std::string& ref, const std::string& target, bool with_index) {
  if (!git_) {
    return false;
  }
  const std::string path = git_->prefix + ref;
  if (!idle_ && !overlay::look_beneath(git_->upper.get(), path).exists()) {
    return false;
  }
  // Whoever is killed from here on leaves what says no more than the project does.
  store::add_pending_prune(*session_.db, session_.row.id, ".git");
  if (idle_) {
    raise(path);
    if (with_index) {
      raise(git_->own_prefix + "index");
    }
  }
  if (!overlay::look_beneath(git_->upper.get(), path).exists()) {
    return false;
  }
  set_base_of_ref(session_, *git_, ref, target);
  SHADOW_FAIL_POINT("ref-given-back");
  return true;
}

void RefGiveBack::let_go(const std::string& ref, const std::string& target) {
  if (git_) {
    store::add_pending_prune(*session_.db, session_.row.id, ".git");
    set_base_of_ref(session_, *git_, ref, target);
  }
}

void RefGiveBack::not_moved(const std::string& ref, const std::string& id) {
  if (git_) {
    set_base_of_ref(session_, *git_, ref, id);
  }
}

}  // namespace shadow::commits
