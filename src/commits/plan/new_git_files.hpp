// SPDX-License-Identifier: MIT
// git's own files of a repository that a session made, written anew from what was judged of them.
// git and the parsers here may read the same bytes in two ways: what an apply writes has one.

#pragma once

#include "commits/plan/commit_judge.hpp"
#include "git/repository/git_refs.hpp"

#include <map>
#include <string>

namespace shadow::commits {

// An entry of a work tree as a commit has it.
struct CheckedOut {
  unsigned mode = 0;
  std::string id;
};

// By path, all that the commit at HEAD has; empty where there is none.
[[nodiscard]] std::map<std::string, CheckedOut> checked_out(const CommitJudge& judge,
                                                            const git::Refs& refs);

// Writes HEAD, packed-refs, the files below refs/ and the list of a shallow history anew, among
// `texts`, whose paths begin with `prefix`. Returns what is wrong with them, as the end of a
// sentence; empty when nothing is.
[[nodiscard]] std::string write_refs_anew(std::map<std::string, std::string>& texts,
                                          const std::string& prefix, const git::Refs& refs);

// An index that has what is checked out, and nothing that is staged. `file` is an absolute path
// that does not exist yet. Throws Error, the end of a sentence, when libgit2 refuses a path.
[[nodiscard]] std::string index_of(const std::map<std::string, CheckedOut>& entries,
                                   const std::string& file);

}  // namespace shadow::commits
