// SPDX-License-Identifier: MIT
// Promotion: the plan of what will be written to the real tree, its execution as one transaction,
// recovery of an interrupted one, and undo.

#pragma once

#include "shadow/change.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

// What one step does to the real path.
enum class Action : std::uint8_t {
  MakeDirectory,    // mkdir; parents have steps of their own before it
  SetAttributes,    // mode and user.* attributes of an existing file or directory, content as it is
  Write,            // a regular file: staged beside the target, then renamed over it
  WriteLink,        // a symlink, FIFO or socket, staged likewise
  HardLink,         // link(2) to `link_to`, staged likewise
  Delete,           // a non-directory: renamed to its staging name, removed at the end
  RemoveDirectory,  // an empty directory (its children have steps before it)
};

// One step: turns `before` (what the real tree has now) into `after`. The content of a Write comes
// from the upper's file at `source_path`, or, when it was merged or edited, from `bytes`.
struct Step {
  std::string path;
  Action action = Action::Write;
  Entry before;
  Entry after;
  std::string source_path;
  std::optional<std::string> bytes;
  std::string link_to;
};

// Ordered so that it can be done from first to last: type changes and deletions first (children
// before parents), then directories (parents before children), files, hard links, and attributes of
// directories last.
struct ApplyPlan {
  std::vector<Step> steps;
};

// The steps that promote these changes. Pure.
[[nodiscard]] ApplyPlan plan_apply(const std::vector<Change>& changes);

}  // namespace shadow
