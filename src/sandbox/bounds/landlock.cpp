// SPDX-License-Identifier: MIT
#include "sandbox/bounds/landlock.hpp"

#include "sys/files/fd.hpp"

#include <cerrno>

#include <linux/landlock.h>
#include <sys/stat.h>
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

bool restrict_files(const std::vector<std::string>& readable) {
  // A kernel refuses rights that it does not know: those of ABI 1, REFER (2), TRUNCATE (3) and
  // IOCTL_DEV (5).
  constexpr std::uint64_t kFirst = (std::uint64_t{LANDLOCK_ACCESS_FS_MAKE_SYM} << 1U) - 1;
  constexpr std::uint64_t kRefer = 1U << 13U;
  constexpr std::uint64_t kTruncate = 1U << 14U;
  constexpr std::uint64_t kIoctlDev = 1U << 15U;
  constexpr int kIoctlAbi = 5;
  const int abi = landlock_abi();
  if (abi < 1) {
    return false;
  }
  std::uint64_t handled = kFirst | (abi >= 2 ? kRefer : 0) | (abi >= 3 ? kTruncate : 0) |
                          (abi >= kIoctlAbi ? kIoctlDev : 0);
  const sys::Fd ruleset{
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0))};
  if (!ruleset) {
    return false;
  }
  for (const std::string& path : readable) {
    const sys::Fd at = sys::try_open_at(AT_FDCWD, path, O_PATH);
    struct stat st {};
    if (!at || ::fstat(at.get(), &st) != 0) {
      continue;
    }
    landlock_path_beneath_attr rule{};
    // The kernel refuses rights of directories on anything else.
    rule.allowed_access =
        LANDLOCK_ACCESS_FS_READ_FILE | (S_ISDIR(st.st_mode) ? LANDLOCK_ACCESS_FS_READ_DIR : 0);
    rule.parent_fd = at.get();
    if (::syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) !=
        0) {
      return false;
    }
  }
  return ::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) == 0;
}

int landlock_abi() noexcept {
  const long abi =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return abi < 0 ? 0 : static_cast<int>(abi);
}

bool is_landlock_off() noexcept {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) < 0 &&
         errno == EOPNOTSUPP;
}

}  // namespace shadow::sandbox
