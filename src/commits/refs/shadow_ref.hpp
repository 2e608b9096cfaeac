// SPDX-License-Identifier: MIT
// Names of the refs below which commits are put aside.

#pragma once

#include "store/tables/sessions.hpp"

#include <string>

namespace shadow::commits {

// Where commits of a session go whose ref cannot move: "refs/shadow/SESSION/main" for
// "refs/heads/main", "refs/shadow/SESSION/tags/v1" for "refs/tags/v1". SESSION is the interlocutor
// where that can be part of a ref, else the session's id.
[[nodiscard]] std::string shadow_ref(const store::SessionRow& session, const std::string& ref);

}  // namespace shadow::commits
