// SPDX-License-Identifier: MIT
// Giving up what root may.

#pragma once

#include <cstdint>

namespace shadow::sys {

// The effective capabilities of the calling thread; bit N is capability N of <linux/capability.h>.
[[nodiscard]] std::uint64_t effective_capabilities();

// Empties the sets of the calling thread, for which no privilege is needed. With no_new_privs no
// exec gives one back. Throws SysError.
void clear_capabilities();

// Empties every capability set of the calling thread, the bounding set too, so that no later exec
// gains one; but for those in `kept`, which stay permitted and effective, also over an exec by uid
// 0 (capabilities(7)). Throws SysError.
void limit_capabilities(std::uint64_t kept);

}  // namespace shadow::sys
