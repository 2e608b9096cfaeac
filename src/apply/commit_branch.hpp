// SPDX-License-Identifier: MIT
// The session's work on a new branch of the real repository, without touching its work tree.

#pragma once

#include "apply/choice/choice.hpp"
#include "session/directory/review_session.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace shadow::apply {

struct BranchRequest {
  std::string name;  // "topic"
  std::optional<std::string> message;
  ApplyChoice choice;  // ignored, sensitive
  bool dry_run = false;
  bool unseen = false;  // also what is not what a review showed
};

struct MadeBranch {
  std::string ref;
  std::string id;           // of its last commit
  std::size_t commits = 0;  // the session's own
  bool more = false;        // there are more of them
  std::size_t files = 0;    // in the commit on top of them; 0: there is none
  std::int64_t apply = 0;   // for undo; 0 of a dry run
  ChosenChanges chosen;
};

// The session's commits, and on top of them one commit of what it has not committed. The session
// keeps all of it. Throws Error: Refused when there is such a branch or a sensitive change, No when
// there is nothing to put on it.
[[nodiscard]] MadeBranch make_branch(const session::ReviewSession& session,
                                     const BranchRequest& request);

}  // namespace shadow::apply
