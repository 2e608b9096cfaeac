// SPDX-License-Identifier: MIT
// Results of earlier comparisons of files, so that they need not be read again.

#pragma once

#include "shadow/entry.hpp"

#include <functional>
#include <optional>
#include <string>

namespace shadow::overlay {

// Finds and records whether two large files of the same size are equal.
struct KnownContents {
  std::function<std::optional<bool>(const std::string& path, const Entry& upper,
                                    const Entry& lower)>
      same;
  std::function<void(const std::string& path, const Entry& upper, const Entry& lower, bool same)>
      learnt;
};

}  // namespace shadow::overlay
