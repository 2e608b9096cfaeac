// SPDX-License-Identifier: MIT
// All sessions of a state directory.

#pragma once

#include "shadow/session.hpp"

#include "store/sessions.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace shadow {

struct ListedSession {
  store::SessionRow row;
  std::optional<std::uint64_t> changed;  // paths an apply could take; unknown without a project
  std::uint64_t bytes = 0;               // in the project's layer
  std::uint64_t home_bytes = 0;          // in the home layer
  bool live = false;
  bool project_missing = false;
  bool project_replaced = false;  // by another directory at its path
};

// Newest use first.
[[nodiscard]] std::vector<ListedSession> list_sessions(const StateDir& state, store::Database& db);

}  // namespace shadow
