// SPDX-License-Identifier: MIT
// The rights of root that a run keeps.

#pragma once

#include "sandbox/setup/namespaces.hpp"
#include "sandbox/setup/plan.hpp"

#include <sys/types.h>

namespace shadow::sandbox {

// The rights to read, change and give away files (CAP_DAC_OVERRIDE, FOWNER, FSETID, CHOWN), as far
// as the caller has them itself: for root in a project that belongs to somebody else, as in most
// containers of agents. None for an ordinary user, in a project of root's own, and where the
// owner's id is not one of the caller's namespace.
[[nodiscard]] OwnerRights rights_over(uid_t owner, CallerIds caller);

}  // namespace shadow::sandbox
