// SPDX-License-Identifier: MIT
// Recovery of an interrupted apply.

#pragma once

#include "shadow/apply.hpp"

#include <string>
#include <vector>

namespace shadow {

// True if an apply of the project is in progress or was interrupted: one look for a file, at the
// start of every command.
[[nodiscard]] bool recovery_needed(const std::string& state, const std::string& project);

struct RecoveryReport {
  int rolled_back = 0;
  int finished = 0;

  // Sentences about paths that could not be restored because they hold neither the old nor the new
  // entry (nothing was overwritten), and about what is written and could not be finished.
  std::vector<std::string> left;

  [[nodiscard]] bool empty() const { return rolled_back == 0 && finished == 0 && left.empty(); }
};

// Finishes what was wholly written and rolls back what was not. Does nothing while another process
// applies to the project: nothing is interrupted then. May be interrupted and repeated.
RecoveryReport recover(const ApplySite& site);

}  // namespace shadow
