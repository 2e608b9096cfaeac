// SPDX-License-Identifier: MIT
#include "sys/processes/privileges.hpp"

#include "shadow/error.hpp"

#include <cerrno>

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace shadow::sys {

void clear_capabilities() {
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
  if (::syscall(SYS_capset, &header, none) != 0) {
    throw_errno("drop capabilities");
  }
}

void drop_capabilities() {
  // An exec by uid 0 gains what is in the bounding set (capabilities(7)), and root callers map uid
  // 0.
  for (unsigned long capability = 0; capability <= CAP_LAST_CAP; ++capability) {
    if (::prctl(PR_CAPBSET_DROP, capability) != 0 && errno != EINVAL) {
      throw_errno("drop capabilities");
    }
  }
  clear_capabilities();
}

}  // namespace shadow::sys
