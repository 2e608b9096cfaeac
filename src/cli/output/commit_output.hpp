// SPDX-License-Identifier: MIT
// Commits with their patches on their way out, as git-show(1) prints them.

#pragma once

#include "shadow/workspace_review.hpp"

#include "cli/output/output.hpp"

#include <string>
#include <vector>

namespace shadow::cli {

// Each with its head and its patch. What cannot be read is said in its place.
void print_commits(const workspace::Commits& commits, const std::vector<NewCommit>& list,
                   const PatchOptions& options, bool color, Output& out);

// The annotated tags among them, with their messages.
void print_tags(const workspace::Commits& commits, bool color, Output& out);

// All of them as lines that git-apply(1) passes over.
[[nodiscard]] std::string commits_as_remarks(const workspace::Commits& commits,
                                             const PatchOptions& options);

}  // namespace shadow::cli
