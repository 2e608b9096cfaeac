// SPDX-License-Identifier: MIT
// git's own lock protocol: NAME.lock is made where nobody has it, gets the new content, and is
// renamed over NAME. Unlike git's, a lock of a process that was killed is known again: it is a hard
// link to a file whose name only we use, which the state remembers, so that the next command can
// remove exactly ours.

#pragma once

#include "sys/files/fd.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::promote {

// Remembers in the state which locks of a project are being made. To be used with the project's
// lock held.
class LockBook {
 public:
  LockBook(std::string state, std::string project);
  LockBook(const LockBook&) = delete;
  LockBook(LockBook&&) = delete;
  LockBook& operator=(const LockBook&) = delete;
  LockBook& operator=(LockBook&&) = delete;
  ~LockBook();  // by then none of them is held any more

  // Says, before it is done, that `git_dir` (absolute) will have `lock` as a link to `own`, both
  // relative to it. On disk when it returns.
  void note(const std::string& git_dir, const std::string& lock, const std::string& own);

  // The same of the files that objects are written to before they get their names.
  void note_objects(const std::string& git_dir);

  // True if a process that died left a lock behind.
  [[nodiscard]] static bool is_open(const std::string& state, const std::string& project);

  // Removes the locks of a process that died, and nothing that is not ours.
  static void clean_up(const std::string& state, const std::string& project);

 private:
  std::string state_;
  std::string project_;
  std::string text_;
};

// The prefix of those files' names; `git gc` takes them for its own when they are old.
inline constexpr const char* kTemporaryObject = "tmp_obj_shadow_";

class GitLock {
 public:
  // Locks `path`, relative to `git_dir` (absolute, opened as `dir`), beneath which no symlink is
  // followed. nullopt when somebody else has the lock. Throws SysError.
  [[nodiscard]] static std::optional<GitLock> take(int dir, const std::string& git_dir,
                                                   const std::string& path, LockBook& book);

  // The same; while somebody else has the lock it is tried again, so long at most. git holds one
  // for a moment, and waits for one as long.
  [[nodiscard]] static std::optional<GitLock> take_within(std::chrono::milliseconds patience,
                                                          int dir, const std::string& git_dir,
                                                          const std::string& path, LockBook& book);
  GitLock(const GitLock&) = delete;
  GitLock(GitLock&& other) noexcept;
  GitLock& operator=(const GitLock&) = delete;
  GitLock& operator=(GitLock&& other) noexcept;
  ~GitLock();  // releases the lock without a trace unless committed

  // Removes what processes that died have left in `dir`, where nobody else of ours is at work: our
  // own files there, and the locks on `paths` that are links to them.
  static void remove_left(int dir, const std::vector<std::string>& paths);

  // Sets the content of the new file, on disk when it returns.
  void write(std::string_view bytes, mode_t mode);

  // Renames it over the old one.
  void commit();

  // Removes the old file instead.
  void commit_removal();

 private:
  GitLock() = default;
  void let_go() noexcept;

  int dir_ = -1;
  sys::Fd parent_;
  sys::Fd file_;
  std::string name_;  // of the locked file, in parent_
  std::string own_;   // our name for the lock, in dir_; empty where there are no hard links
  bool held_ = false;
};

}  // namespace shadow::promote
