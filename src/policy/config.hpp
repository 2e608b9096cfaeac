// SPDX-License-Identifier: MIT
// The user's configuration. Plain data.

#pragma once

#include "policy/policy.hpp"

#include <optional>
#include <string>
#include <vector>

namespace shadow::policy {

// The word for a state in memory, of the key `state_dir` and of $SHADOW_STATE_DIR.
inline constexpr const char* kStateInMemory = "tmpfs";

struct Config {
  std::vector<PolicyLayer> layers;     // global, then the part of the project
  std::vector<std::string> sensitive;  // patterns of paths that an apply stops at, beside its own
  std::optional<int> retention_days;   // how long records of runs are kept
  bool pager = true;
  std::optional<std::string> agent;        // of the project: who is meant when nobody says it
  std::optional<std::string> on_conflict;  // "merge", "stop" or "skip"
};

}  // namespace shadow::policy
