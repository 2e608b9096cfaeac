// SPDX-License-Identifier: MIT
// Swapping: the moment at which a real path changes. Each step is one rename(2) that either puts
// the new entry where the checked one was or ends the apply; what it displaced waits under the
// staging name.

#pragma once

#include "promote/journal/journal.hpp"
#include "promote/journal/tree.hpp"

namespace shadow::promote {

// `wanted` are the attributes of a row that sets them, as they were staged. Throws Error (Conflict)
// when the path holds something else than the journal found, SysError. The caller rolls back.
void swap_in(Tree& tree, const Row& row, const Xattrs& wanted);

}  // namespace shadow::promote
