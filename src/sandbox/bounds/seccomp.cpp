// SPDX-License-Identifier: MIT
#include "sandbox/bounds/seccomp.hpp"

#include "terminal_filter.hpp"

#include <cerrno>

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace shadow::sandbox {

std::vector<sock_filter> terminal_filter() {
  return {kTerminalFilter.begin(), kTerminalFilter.end()};
}

int install_terminal_filter(policy::Network network) noexcept {
  // sock_fprog wants to write; nothing does.
  auto terminal = kTerminalFilter;
  auto no_network = kNoNetworkFilter;
  sock_fprog all{static_cast<unsigned short>(terminal.size()), terminal.data()};
  if (network != policy::Network::Host) {
    all = {static_cast<unsigned short>(no_network.size()), no_network.data()};
  }
  // Kernels before 5.16 switch store-bypass mitigation on for whoever has a filter, which slows
  // every program; this filter is no boundary inside one process, which is what that protects.
  if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &all) == 0) {
    return 0;
  }
  return errno;
}

int install_proxy_filter() noexcept {
  auto proxy = kProxyFilter;
  sock_fprog all{static_cast<unsigned short>(proxy.size()), proxy.data()};
  constexpr unsigned kFlags = SECCOMP_FILTER_FLAG_TSYNC;
  const long result = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, kFlags, &all);
  // Above 0: a thread that could not be brought along (seccomp(2)).
  return result == 0 ? 0 : result > 0 ? ESRCH : errno;
}

}  // namespace shadow::sandbox
