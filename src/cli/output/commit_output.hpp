// SPDX-License-Identifier: MIT
// Commits with their patches on their way out, as git-show(1) prints them.

#pragma once

#include "shadow/workspace_review.hpp"

#include "cli/output/output.hpp"

#include <string>
#include <vector>

namespace shadow::cli {

// Each with its head and its patch. What cannot be read is said in its place; the ids of that.
std::vector<std::string> print_commits(const workspace::Commits& commits,
                                       const std::vector<NewCommit>& list,
                                       const PatchOptions& options, bool color, Output& out);

// The annotated tags among them, with their messages; likewise.
std::vector<std::string> print_tags(const workspace::Commits& commits, bool color, Output& out);

// The refs of which not all commits are listed, a line for each; empty when there is none.
[[nodiscard]] std::string incomplete_text(const workspace::Commits& commits);

// All of them as lines that git-apply(1) passes over.
void print_as_remarks(const workspace::Commits& commits, const PatchOptions& options, Output& out);

}  // namespace shadow::cli
