// SPDX-License-Identifier: MIT
// Refs of a real repository, moved by compare-and-swap under git's locks. Not by libgit2, which
// follows symlinks and whose locks, left behind by a killed process, nobody could tell from git's
// own (git_lock.hpp). No git program and no hook is run.

#pragma once

#include "promote/repository/git_lock.hpp"
#include "sys/files/fd.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace shadow::promote {

// A real git directory: of a linked work tree `own` has HEAD and the index, `common` all else.
class GitPlace {
 public:
  // Throws SysError.
  GitPlace(std::string own, std::string common);

  [[nodiscard]] int own() const { return own_.get(); }
  [[nodiscard]] int common() const { return common_.get(); }
  [[nodiscard]] const std::string& own_path() const { return own_path_; }
  [[nodiscard]] const std::string& common_path() const { return common_path_; }

 private:
  std::string own_path_;
  std::string common_path_;
  sys::Fd own_;
  sys::Fd common_;
};

struct RefMove {
  std::string name;  // "refs/heads/main"
  std::string from;  // what it must be now: 40 hex digits, or empty when it must not exist
  std::string to;    // empty: the ref is removed
};

// One ref, locked and found to be `from`. Nothing is changed until `commit`.
class RefUpdate {
 public:
  // nullopt when it cannot be: somebody else has the lock, or the ref is not `from`; `why` says it.
  [[nodiscard]] static std::optional<RefUpdate> begin(const GitPlace& place, const RefMove& move,
                                                      LockBook& book, std::string& why);
  void commit(LockBook& book);

 private:
  RefUpdate(const GitPlace& place, RefMove move, GitLock lock)
      : place_{&place}, move_{std::move(move)}, lock_{std::move(lock)} {}

  const GitPlace* place_;
  RefMove move_;
  GitLock lock_;
};

// The object that a ref names; nullopt when there is no such ref; empty for one that is symbolic or
// cannot be read.
[[nodiscard]] std::optional<std::string> read_ref(const GitPlace& place, const std::string& name);

// Adds a line to the ref's log as git does, and to that of HEAD when `head`. Only where git keeps
// logs. What fails is no failure of the move.
void log_ref(const GitPlace& place, const RefMove& move, bool head, const std::string& who,
             const std::string& why);

}  // namespace shadow::promote
