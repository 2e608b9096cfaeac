// SPDX-License-Identifier: MIT
// The bytes of two files.

#pragma once

namespace shadow::sys {

// Whether two files have the same bytes. Throws SysError.
[[nodiscard]] bool same_content(int a, int b);

}  // namespace shadow::sys
