// SPDX-License-Identifier: MIT
// A user namespace for this process alone.

#pragma once

namespace shadow::sys {

// Enters a new user namespace in which the caller's ids map to themselves, so that files of its
// own with mode 0 can be read and removed (CAP_DAC_OVERRIDE over mapped ids). False, and nothing
// done, when the kernel does not allow it, or when the caller is root, was here already, or is a
// process of somebody else (guest.hpp).
// Single-threaded callers only. Groups and ACLs are those of sys/namespaces/acl.hpp from then on.
bool enter_own_user_namespace();

}  // namespace shadow::sys
