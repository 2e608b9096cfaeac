// SPDX-License-Identifier: MIT
// The session's work on a new branch of the real repository, without touching its work tree.

#pragma once

#include "shadow/promotion.hpp"

#include "apply/choice/choice.hpp"
#include "session/directory/review_session.hpp"

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

// The session's commits, and on top of them one commit of what it has not committed. The session
// keeps all of it. Throws Error: Refused when there is such a branch or a sensitive change, No when
// there is nothing to put on it.
[[nodiscard]] MadeBranch make_branch(const session::ReviewSession& session,
                                     const BranchRequest& request);

}  // namespace shadow::apply
