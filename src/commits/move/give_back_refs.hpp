// SPDX-License-Identifier: MIT
// The session's side of an undo of commits: a branch that goes back in the project returns to its
// former commit in the session.

#pragma once

#include "commits/refs/session_git.hpp"
#include "session/directory/review_session.hpp"
#include "sys/files/lock.hpp"

#include <optional>
#include <string>

namespace shadow::commits {

class RefGiveBack {
 public:
  // Takes the session's locks. Throws Error (Refused) when another command works on the session.
  explicit RefGiveBack(const session::ReviewSession& session);

  // Before the ref is moved back to `target` ("": removed) in the project. With the index, where it
  // is the branch that is checked out. Afterwards its commits are the session's again; false when
  // that is impossible, because the session is live and has dropped them.
  bool keep_view(const std::string& ref, const std::string& target, bool with_index);

  // Before it is moved forward again to `target`: the session has no more than the project then.
  void let_go(const std::string& ref, const std::string& target);

  // Notes that the ref was not moved, and is at `id` as before.
  void not_moved(const std::string& ref, const std::string& id);

 private:
  void raise(const std::string& path);

  const session::ReviewSession& session_;
  sys::FileLock lock_;
  std::optional<sys::FileLock> idle_;
  std::optional<SessionGit> git_;
};

}  // namespace shadow::commits
