// SPDX-License-Identifier: MIT
// The files that an apply moved to a new name, found by its journal: an undo that finds something
// else at an old name cannot put the text back there.

#pragma once

#include "shadow/apply.hpp"

#include <cstdint>

namespace shadow::apply {

// Those at whose old name something else is by now. Equal contents pair first, then those that
// share half of their lines: the agent's edits and a merge come with a move. Throws SysError, and
// StaleError when a file changes while it is read.
[[nodiscard]] MovedFrom find_moved(const ApplySite& site, std::int64_t apply);

}  // namespace shadow::apply
