// SPDX-License-Identifier: MIT
// Compares the bytes of two files.

#pragma once

namespace shadow::sys {

// True if the two files have the same bytes. Throws SysError.
[[nodiscard]] bool same_content(int a, int b);

}  // namespace shadow::sys
