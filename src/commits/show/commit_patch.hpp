// SPDX-License-Identifier: MIT
// The patch of a commit that a session made.

#pragma once

#include "shadow/commits.hpp"
#include "shadow/patch.hpp"

#include "commits/refs/session_git.hpp"
#include "session/directory/review_session.hpp"

#include <optional>
#include <string>
#include <vector>

namespace shadow::commits {

// The new commits of these rows, each once, in the order of the rows and newest first.
[[nodiscard]] std::vector<NewCommit> new_commits(const std::vector<BranchWork>& rows);

// The rows of which all commits are listed and none of them, nor the ref's own object, is one of
// `missing`.
[[nodiscard]] std::vector<BranchWork> wholly_listed(const std::vector<BranchWork>& rows,
                                                    const std::vector<std::string>& missing);

// The one whose id begins so; nullopt when there is none. Throws Error when there are several.
[[nodiscard]] std::optional<NewCommit> find_new_commit(const std::vector<BranchWork>& rows,
                                                       const std::string& prefix);

// The differences of the commit and its first parent. Throws Error when it cannot be read.
[[nodiscard]] std::vector<PatchFile> patch_of_commit(const SessionGit& git, const std::string& id);

// True if it names a tag that has a message of its own. Throws Error when it cannot be read.
[[nodiscard]] bool is_annotated_tag(const SessionGit& git, const std::string& id);

// The rest of its object, as lines_beside_head() has it; also for an annotated tag, with the tags
// that it is a tag of. Throws Error when it cannot be read.
[[nodiscard]] std::vector<std::string> text_of_object(const SessionGit& git, const std::string& id);

}  // namespace shadow::commits
