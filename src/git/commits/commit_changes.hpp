// SPDX-License-Identifier: MIT
// The changes of each commit of a session, whatever its work tree shows by now.

#pragma once

#include "git/commits/object_copy.hpp"
#include "git/repository/git_dirs.hpp"

#include <optional>
#include <string>
#include <vector>

namespace shadow::git {

// A branch, tag or other ref of the session.
struct CommitTip {
  std::string id;
  std::string base;        // what the project has instead; "" is nothing
  std::string head;        // what the project has checked out; likewise
  std::string short_name;  // asked about whether it is the beginning of an object's id
};

// One version of a path that some new commit has and one of its parents has not.
struct CommitChange {
  TreeDifference row;

  // True if git would take a directory around the path for a git directory in that commit's tree.
  bool in_git_dir = false;

  // The target of a symlink, or the text of a `.gitattributes` (in any spelling), of a HEAD (its
  // beginning) or of a file for which is_tool_file(); nullopt when it is something else, or too
  // long.
  std::optional<std::string> text;

  // True if no commit here brought it: it was on another side of a merge, and the tip has it only
  // where the project has it checked out.
  bool inherited = false;

  // True if the base has that version already, by another commit: a rewritten or picked one.
  bool known = false;

  // True if the tip differs from the base there; then the tip's entry (mode 0: none).
  bool net = false;
  unsigned tip_mode = 0;
  std::string tip_id;
};

struct CommitChanges {
  std::string fault;  // why they cannot be listed, as the end of a sentence; empty when they can
  std::vector<CommitChange> changes;

  // The commit at the tip, where its tree has something that the project's checked-out commit has
  // not, nor one of the new commits as its own: it was on another branch. Empty where there is no
  // such thing, and where there are no changes.
  std::string elsewhere;
  bool abbreviates = false;  // the short name is the beginning of an object's id
};

// For each tip the changes of every commit that no branch of the real repository itself has:
// against each parent. Commits that only a remote's branch has, or that were saved below
// refs/shadow, count as new, and so does a merge's other side. In a child with limits, as all that
// reads a session's objects.
[[nodiscard]] std::vector<CommitChanges> commit_changes(const GitDirs& dirs,
                                                        const std::vector<CommitTip>& tips);

// One file of a commit's patch. A side whose mode is 0 has nothing there.
struct CommitFile {
  TreeDifference row;
  std::string before;
  std::string after;
};

// The differences of a commit and its first parent. Throws Error when it cannot be read or is too
// large to be shown.
[[nodiscard]] std::vector<CommitFile> commit_files(const GitDirs& dirs, const std::string& id);

// The texts of blobs of the session or the real repository, in the order of the ids; nothing where
// one of them cannot be read, or all are too large together.
[[nodiscard]] std::vector<std::string> blob_texts(const GitDirs& dirs,
                                                  const std::vector<std::string>& ids);

// A commit or an annotated tag as it is stored: headers, an empty line, the message. Throws Error
// when it cannot be read or is too large to be shown.
[[nodiscard]] std::string object_text(const GitDirs& dirs, const std::string& id);

}  // namespace shadow::git
