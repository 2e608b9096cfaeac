// SPDX-License-Identifier: MIT
// Giving up what root may.

#pragma once

namespace shadow::sys {

// Empties the sets of the calling thread, for which no privilege is needed. With no_new_privs no
// exec gives one back. Throws SysError.
void clear_capabilities();

// Empties every capability set of the calling thread, the bounding set too, so that no later exec
// gains one. Throws SysError.
void drop_capabilities();

}  // namespace shadow::sys
