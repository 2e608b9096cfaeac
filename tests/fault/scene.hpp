// SPDX-License-Identifier: MIT
// What the fault tests do over and over: a project, a change of every kind, an apply or undo of it,
// and the question whether the project is wholly before or wholly after.

#pragma once

#include "support/trees.hpp"
#include "unit/scratch_dir.hpp"

#include <string>

namespace shadow::test {

enum class Operation : std::uint8_t { Apply, Undo, Recover };

// Exit statuses of `perform`.
constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kUnfinished = 3;

class Scene {
 public:
  explicit Scene(const std::string& dir);

  // The project as it was at first; with `applied` an apply has been done on it.
  void reset(bool applied);

  // Does it in this process.
  [[nodiscard]] int perform(Operation operation) const;

  // In a child, with SHADOW_FAIL set to `failure`. The wait status.
  [[nodiscard]] int perform_in_child(Operation operation, const std::string& failure) const;

  // "before", "after", or what is wrong: another tree, names left behind, a journal not ended.
  [[nodiscard]] std::string outcome(bool undone) const;

  [[nodiscard]] const std::string& dir() const { return dir_; }

 private:
  [[nodiscard]] std::string real() const { return dir_ + "/real"; }
  [[nodiscard]] std::string wanted() const { return dir_ + "/wanted"; }
  [[nodiscard]] std::string state() const { return dir_ + "/state"; }

  std::string dir_;
};

// A directory in memory when there is one that keeps user.* attributes: thousands of syncs to a
// disk take minutes.
[[nodiscard]] std::string fast_scratch_base();

}  // namespace shadow::test
