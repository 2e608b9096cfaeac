// SPDX-License-Identifier: MIT
#include "sys/processes/privileges.hpp"

#include "shadow/error.hpp"

#include <cerrno>

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace shadow::sys {

namespace {

constexpr unsigned kBitsOfWord = 32;

// Permitted and effective; inheritable and ambient are none.
void set_capabilities(std::uint64_t kept) {
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
  for (__user_cap_data_struct& word : sets) {
    word.permitted = word.effective = static_cast<std::uint32_t>(kept);
    kept >>= kBitsOfWord;
  }
  if (::syscall(SYS_capset, &header, sets) != 0) {
    throw_errno("drop capabilities");
  }
}

}  // namespace

std::uint64_t effective_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
  if (::syscall(SYS_capget, &header, sets) != 0) {
    throw_errno("look at the capabilities");
  }
  return sets[0].effective | std::uint64_t{sets[1].effective} << kBitsOfWord;
}

void clear_capabilities() {
  set_capabilities(0);
}

void limit_capabilities(std::uint64_t kept) {
  // An exec by uid 0 gains what is in the bounding set (capabilities(7)), and root callers map uid
  // 0.
  for (unsigned long capability = 0; capability <= CAP_LAST_CAP; ++capability) {
    if ((kept >> capability & 1U) == 0 && ::prctl(PR_CAPBSET_DROP, capability) != 0 &&
        errno != EINVAL) {
      throw_errno("drop capabilities");
    }
  }
  set_capabilities(kept);
}

}  // namespace shadow::sys
