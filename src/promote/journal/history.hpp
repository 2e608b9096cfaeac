// SPDX-License-Identifier: MIT
// The applies and undos of a project, and which of them an undo is about.

#pragma once

#include "shadow/apply.hpp"

#include <cstdint>
#include <set>
#include <string>

namespace shadow::promote {

// Paths of an apply that its undos have left as they were, because somebody had changed them.
[[nodiscard]] std::set<std::string> left_by_undos(const ApplySite& site, std::int64_t apply);

}  // namespace shadow::promote
