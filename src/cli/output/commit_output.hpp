// SPDX-License-Identifier: MIT
// Commits with their patches on their way out, as git-show(1) prints them.

#pragma once

#include "shadow/patch.hpp"

#include "cli/output/output.hpp"
#include "commits/show/commit_patch.hpp"

#include <string>
#include <vector>

namespace shadow::cli {

// Each with its head and its patch. What cannot be read is said in its place.
void print_commits(const commits::SessionGit& git, const std::vector<commits::NewCommit>& commits,
                   const PatchOptions& options, bool color, Output& out);

// The annotated tags among these, with their messages.
void print_tags(const commits::SessionGit& git, const std::vector<BranchWork>& rows, bool color,
                Output& out);

// The same as lines that git-apply(1) passes over.
[[nodiscard]] std::string commits_as_remarks(const commits::SessionGit& git,
                                             const std::vector<commits::NewCommit>& commits,
                                             const PatchOptions& options);

}  // namespace shadow::cli
