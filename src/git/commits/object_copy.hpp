// SPDX-License-Identifier: MIT
// Objects that a session made and the real repository lacks, checked one by one and written anew
// into a directory of our own.

#pragma once

#include "git/objects/tree_entry.hpp"
#include "git/repository/git_dirs.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shadow::git {

// Objects that an earlier branch staged need not be staged again, unless that branch failed: then
// only some of its objects may be there.
enum class ReuseStaged : std::uint8_t { No, Yes };

// The commit with which a tip is compared: its base, or the last one that both have. Of a branch
// that began before the base, what came after is no difference of its own.
enum class ComparedFrom : std::uint8_t { Base, WhereParted };

struct StagedBranch {
  std::string fault;  // why it cannot be copied, as the end of a sentence; empty when it was

  // Ids, each after what it refers to, or the name of a pack of them: "pack-" and 40 hex digits.
  std::vector<std::string> objects;

  // With a base: whether it is a fast-forward of that, and what its tree has other than the base's,
  // sorted by path; without directories.
  bool fast_forward = false;
  std::vector<TreeDifference> differences;
};

// Writes everything that `tip` needs and the real repository has not to `staging`, an absolute
// path: as loose objects, many as a pack. Each is read with its hash checked, in a process of its
// own with limits on time and memory, and its form is checked as git-fsck(1) does; what the real
// repository has is taken to be whole. `base` is a commit to compare the tip, a commit then, with;
// "" is one without history and files.
[[nodiscard]] StagedBranch stage_branch(const GitDirs& dirs, const std::string& tip,
                                        const std::optional<std::string>& base,
                                        const std::string& staging,
                                        ReuseStaged reuse = ReuseStaged::No,
                                        ComparedFrom from = ComparedFrom::Base);

// True if `from` is an ancestor of `to`, both in the real repository.
[[nodiscard]] bool is_real_ancestor(const GitDirs& dirs, const std::string& from,
                                    const std::string& to);

// Those of `ids` that are in the history of `tip`, a commit of the session's, and not in that of
// `base`, one of the real repository's; all of them where that cannot be read. A commit is in its
// own history.
[[nodiscard]] std::vector<std::string> only_in_tip(const GitDirs& dirs,
                                                   const std::vector<std::string>& ids,
                                                   const std::string& tip, const std::string& base);

// Those of `ids` that are commits and ancestors of a branch of the real repository, or its tip.
[[nodiscard]] std::vector<std::string> reached_by_branches(const GitDirs& dirs,
                                                           const std::vector<std::string>& ids);

// The differences of the trees of two commits of the real repository; either may be empty.
[[nodiscard]] StagedBranch compare_commits(const GitDirs& dirs, const std::string& before,
                                           const std::string& after);

// The same where the session has made one of them, or both.
[[nodiscard]] StagedBranch compare_in_session(const GitDirs& dirs, const std::string& before,
                                              const std::string& after,
                                              ComparedFrom from = ComparedFrom::Base);

// Those of `ids` that the real repository has.
[[nodiscard]] std::vector<std::string> real_objects(const GitDirs& dirs,
                                                    const std::vector<std::string>& ids);

}  // namespace shadow::git
