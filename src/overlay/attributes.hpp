// SPDX-License-Identifier: MIT
// What a directory of an upper takes over from the lower's, as a copy-up by the kernel would.

#pragma once

namespace shadow::overlay {

// Mode, POSIX ACLs and user.* attributes. Throws SysError when the mode cannot be set; ACLs and
// attributes that the upper's filesystem does not take are left out.
void copy_attributes(int from, int to);

}  // namespace shadow::overlay
