// SPDX-License-Identifier: MIT
// What the work trees of the real repository have checked out. Not by libgit2, which would open
// each as a repository, with its configuration.

#pragma once

#include "session/project/git_dir.hpp"

#include <set>
#include <string>

namespace shadow::commits {

// The branches that other work trees than the project's have checked out. Neither git nor we move
// one beneath its work tree.
[[nodiscard]] std::set<std::string> checked_out_elsewhere(const session::RealGitDir& real);

}  // namespace shadow::commits
