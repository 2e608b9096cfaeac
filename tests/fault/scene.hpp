// SPDX-License-Identifier: MIT
// What the fault tests do over and over: a project, a change of every kind, an apply or undo of it,
// and the question whether the project is wholly before or wholly after.

#pragma once

#include "support/scratch.hpp"
#include "support/trees.hpp"

#include <string>

#include <sys/types.h>

namespace shadow::test {

enum class Operation : std::uint8_t { Apply, Undo, Recover };

// What a person does to the project meanwhile.
enum class Edit : std::uint8_t { InPlace, Replace, Delete, Create };

// Exit statuses of `perform`.
constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kUnfinished = 3;
constexpr int kPartly = 4;  // an undo would leave paths that nobody changed: always wrong

class Scene {
 public:
  explicit Scene(std::string dir);

  // The project as it was at first; with `applied` an apply has been done on it.
  void reset(bool applied);

  // Does it in this process.
  [[nodiscard]] int perform(Operation operation) const;

  // In a child, with SHADOW_FAIL set to `failure`. The wait status.
  [[nodiscard]] int perform_in_child(Operation operation, const std::string& failure) const;

  // The same, without waiting for it.
  [[nodiscard]] pid_t start(Operation operation, const std::string& failure) const;

  // The path that was edited.
  [[nodiscard]] std::string edit(Edit edit) const;

  // As `outcome` of an apply, for all but the edited path, which must be as the edit left it.
  [[nodiscard]] std::string outcome_but_edit(Edit edit, const std::string& path) const;

  // "before", "after", or what is wrong: another tree, names left behind, a journal not ended.
  [[nodiscard]] std::string outcome(bool undone) const;

  [[nodiscard]] const std::string& dir() const { return dir_; }

 private:
  [[nodiscard]] std::string judge(Description now, const std::string& without) const;
  [[nodiscard]] std::string real() const { return dir_ + "/real"; }
  [[nodiscard]] std::string wanted() const { return dir_ + "/wanted"; }
  [[nodiscard]] std::string state() const { return dir_ + "/state"; }

  std::string dir_;
};

// A directory in memory when there is one that keeps user.* attributes: thousands of syncs to a
// disk take minutes.
[[nodiscard]] std::string fast_scratch_base();

}  // namespace shadow::test
