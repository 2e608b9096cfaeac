// SPDX-License-Identifier: MIT
#include "sandbox/landlock.hpp"

#include "sys/fd.hpp"

#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

// linux/landlock.h of Debian 12 (6.1) ends before `scoped`. An older kernel refuses the longer
// structure with E2BIG because the part it does not know is not zero.
struct RulesetAttr {
  std::uint64_t handled_access_fs = 0;
  std::uint64_t handled_access_net = 0;
  std::uint64_t scoped = 0;
};
constexpr std::uint64_t kScopeAbstractUnixSocket = 1U << 0U;
constexpr std::uint64_t kScopeSignal = 1U << 1U;

}  // namespace

bool restrict_scopes() noexcept {
  RulesetAttr attr;
  attr.scoped = kScopeAbstractUnixSocket | kScopeSignal;
  const sys::Fd ruleset{
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0))};
  return ruleset && ::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) == 0;
}

int landlock_abi() noexcept {
  const long abi =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return abi < 0 ? 0 : static_cast<int>(abi);
}

}  // namespace shadow::sandbox
