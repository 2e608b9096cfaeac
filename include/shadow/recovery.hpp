// SPDX-License-Identifier: MIT
// What becomes of an apply that was interrupted.

#pragma once

#include "shadow/apply.hpp"

#include <string>
#include <vector>

namespace shadow {

// Whether an apply of the project goes on or was interrupted: one look for a file, for the start of
// every command.
[[nodiscard]] bool recovery_needed(const std::string& state, const std::string& project);

struct RecoveryReport {
  bool busy = false;  // an apply is going on just now: nothing was done, nothing need be
  int rolled_back = 0;
  int finished = 0;

  // What could not be put back because the path holds something that is neither the old nor the new
  // entry; sentences. Nothing was overwritten.
  std::vector<std::string> left;

  [[nodiscard]] bool empty() const { return rolled_back == 0 && finished == 0 && left.empty(); }
};

// Finishes what was wholly written and rolls back what was not. May be interrupted and repeated.
RecoveryReport recover(const ApplySite& site);

}  // namespace shadow
