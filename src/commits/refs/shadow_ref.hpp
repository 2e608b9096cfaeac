// SPDX-License-Identifier: MIT
// Names of the refs below which commits are saved.

#pragma once

#include "store/tables/sessions.hpp"

#include <string>

namespace shadow::commits {

// The ref for commits of a session whose own ref cannot move: "refs/shadow/SESSION/main" for
// "refs/heads/main", "refs/shadow/SESSION/tags/v1" for "refs/tags/v1". SESSION is the agent's name
// if that can be part of a ref, or the session's id.
[[nodiscard]] std::string shadow_ref(const store::SessionRow& session, const std::string& ref);

}  // namespace shadow::commits
