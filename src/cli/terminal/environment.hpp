// SPDX-License-Identifier: MIT
// Variables of the caller.

#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace shadow::cli {

// Its value; nullopt when it is not set.
[[nodiscard]] inline std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  return value == nullptr ? std::nullopt : std::optional<std::string>{value};
}

}  // namespace shadow::cli
