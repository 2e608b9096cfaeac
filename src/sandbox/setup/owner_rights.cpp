// SPDX-License-Identifier: MIT
#include "sandbox/setup/owner_rights.hpp"

#include "sys/processes/privileges.hpp"

#include <linux/capability.h>

namespace shadow::sandbox {

OwnerRights rights_over(uid_t owner, CallerIds caller) {
  if (!caller.root() || owner == caller.uid || !is_mapped(owner)) {
    return {};
  }
  constexpr std::uint64_t kOverFiles =
      1U << CAP_CHOWN | 1U << CAP_DAC_OVERRIDE | 1U << CAP_FOWNER | 1U << CAP_FSETID;
  return {owner, sys::effective_capabilities() & kOverFiles};
}

}  // namespace shadow::sandbox
