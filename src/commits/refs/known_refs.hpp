// SPDX-License-Identifier: MIT
// The names that the real repository has.

#pragma once

#include "commits/refs/ref_names.hpp"
#include "git/repository/git_refs.hpp"

#include <string>

namespace shadow::commits {

// `common` is the directory with its configuration, which names the remotes.
[[nodiscard]] KnownRefs known_refs(const git::Refs& real, const std::string& common);

}  // namespace shadow::commits
