// SPDX-License-Identifier: MIT
// What is known of pairs of files, so that they need not be read again.

#pragma once

#include "shadow/entry.hpp"

#include <functional>
#include <optional>
#include <string>

namespace shadow::overlay {

// What is known already of two large files of the same size, which would be read for it; and what
// comes of reading them.
struct KnownContents {
  std::function<std::optional<bool>(const std::string& path, const Entry& upper,
                                    const Entry& lower)>
      same;
  std::function<void(const std::string& path, const Entry& upper, const Entry& lower, bool same)>
      learnt;
};

}  // namespace shadow::overlay
