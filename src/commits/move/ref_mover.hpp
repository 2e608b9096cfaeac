// SPDX-License-Identifier: MIT
// One ref after the other, with the index where the branch is checked out.

#pragma once

#include "shadow/commits.hpp"

#include "git/commits/object_copy.hpp"
#include "promote/repository/git_ref_update.hpp"

#include <string>
#include <vector>

namespace shadow::commits {

class RefMover {
 public:
  // `root` is the project's path, `staging` a directory of our own for the index (absolute).
  RefMover(const promote::GitPlace& place, promote::LockBook& book, std::string root,
           std::string staging, std::string message);

  // "" when it was done; else why it was not, and then nothing is changed. `differences` are what
  // the index follows, when the branch is `checked_out`. Throws Error when it could not be
  // finished.
  [[nodiscard]] std::string move(const promote::RefMove& move, bool checked_out,
                                 const std::vector<git::TreeDifference>& differences);

 private:
  const promote::GitPlace& place_;
  promote::LockBook& book_;
  std::string root_;
  std::string staging_;
  std::string message_;
};

}  // namespace shadow::commits
