// SPDX-License-Identifier: MIT
// Copies attributes from a lower directory to an upper one, as the kernel's copy-up does.

#pragma once

namespace shadow::overlay {

// Mode, POSIX ACLs and user.* attributes. Throws SysError when the mode cannot be set; ACLs and
// attributes that the upper's filesystem does not take are left out.
void copy_attributes(int from, int to);

// Owner and group, of an entry of any kind. Where only root may give them the caller's stay: a run
// of the same user could not have given them either. Throws SysError for any other failure.
void copy_owner(int from, int to);

}  // namespace shadow::overlay
