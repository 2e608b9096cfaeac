// SPDX-License-Identifier: MIT
// Commits that a session made: refs of the view's .git compared with the real ones. Reads refs and
// objects as data; never opens the view's .git as a repository.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

struct Commit {
  std::string id;         // 40 hex digits
  std::string author;     // "Name <address>", raw bytes
  std::int64_t time = 0;  // the author's, seconds since the epoch
  std::string subject;    // raw bytes
};

struct BranchWork {
  enum class State : std::uint8_t {
    New,         // no ref of that name in the real repository
    Ahead,       // a fast-forward of the real branch
    Diverged,    // neither contains the other
    Deleted,     // gone in the view
    Unreadable,  // the view's ref or an object of its history cannot be read
  };
  std::string branch;  // "main", "tag v1", "stash"; "HEAD" when detached
  std::string ref;     // "refs/heads/main", "refs/tags/v1", "refs/stash"; "HEAD"
  State state = State::Ahead;
  std::string real_id;  // empty when there is none
  std::string view_id;
  // In the view and reached by no ref of the real repository, newest first, bounded.
  std::vector<Commit> commits;
  bool more = false;     // the bound was reached
  bool arrived = false;  // a branch of the real repository has all that this one has
};

// How the view's .git is read: a file's text (nullopt when there is no such file), and the names in
// a directory (none when there is no such directory); paths are relative to the git directory. Both
// may throw Error for what cannot be read.
struct GitDirReader {
  std::function<std::optional<std::string>(const std::string& path)> read;
  std::function<std::vector<std::string>(const std::string& path)> list;
};

struct GitDirs {
  GitDirReader view;
  std::string upper_objects;  // absolute path of the upper's .git/objects; may not exist
  std::string real_git_dir;   // absolute path of the real .git directory
};

// The branches, tags and stash (and a detached HEAD) whose commit differs from the real
// repository's, by name. Empty when the view has no repository. Objects are read in a child process
// with limits on time and memory, because a run can craft them.
[[nodiscard]] std::vector<BranchWork> branch_work(const GitDirs& dirs, std::size_t most_commits);

}  // namespace shadow
