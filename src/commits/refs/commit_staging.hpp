// SPDX-License-Identifier: MIT
// The staging place of objects and an index between the session and the real repository.

#pragma once

#include "sys/files/fd.hpp"

#include <cstdint>
#include <string>

namespace shadow::commits {

// Removes what processes that died have left of the directories below.
void remove_stale_staging(const std::string& state);

// A directory in the state for objects and an index, gone with the plan.
class CommitStaging {
 public:
  explicit CommitStaging(const std::string& state);
  CommitStaging(const CommitStaging&) = delete;
  CommitStaging(CommitStaging&&) = delete;
  CommitStaging& operator=(const CommitStaging&) = delete;
  CommitStaging& operator=(CommitStaging&&) = delete;
  ~CommitStaging();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int fd() const { return dir_.get(); }

 private:
  sys::Fd parent_;
  std::string name_;
  std::string path_;
  sys::Fd dir_;
};

// A session's index of more bytes, of some 2 million files, is left as it is.
inline constexpr std::uint64_t kMostFollowedIndex = std::uint64_t{256} << 20U;

// Copies the index of a git directory to `to`, unless there is none.
void copy_index(int git_dir, const std::string& to);

}  // namespace shadow::commits
