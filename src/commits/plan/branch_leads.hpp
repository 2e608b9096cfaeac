// SPDX-License-Identifier: MIT
// What the sensitive files of a branch lead to that the project has not checked out: its own tree
// has them, and whoever checks it out obeys them.

#pragma once

#include "git/repository/git_refs.hpp"
#include "sensitive/sensitive.hpp"

#include <optional>
#include <string>
#include <vector>

namespace shadow::commits {

// The paths that the files of the commit name, and those that its links of sensitive names lead to;
// `places` are the project's. nullopt when they cannot be read.
[[nodiscard]] std::optional<std::vector<sensitive::NamedPath>> leads_in_commit(
    const git::GitDirs& dirs, const std::string& commit, const sensitive::SensitivePlaces& places);

}  // namespace shadow::commits
