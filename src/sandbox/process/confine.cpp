// SPDX-License-Identifier: MIT
#include "sandbox/process/confine.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sandbox/bounds/landlock.hpp"
#include "sandbox/bounds/seccomp.hpp"
#include "sys/files/fd.hpp"
#include "sys/processes/privileges.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <linux/close_range.h>
#include <linux/keyctl.h>
#include <net/if.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

void die_with_supervisor(int report) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
    throw_errno("tie the run to its supervisor");
  }
  // The supervisor may have died before that call. getppid() says nothing (0) to a pid 1, but the
  // report pipe has lost its only reader then.
  pollfd pipe{report, POLLOUT, 0};
  if (::poll(&pipe, 1, 0) == 1 && (pipe.revents & POLLERR) != 0) {
    ::_exit(static_cast<int>(ExitCode::NotStarted));
  }
}

}  // namespace

void confine(const InitContext& context) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    throw_errno("forbid new privileges");
  }
  // ENOSYS: a kernel without keyrings has nothing to keep apart.
  if (::syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr) < 0 && errno != ENOSYS) {
    throw_errno("make a session keyring");
  }
  sys::limit_capabilities(context.plan->rights.capabilities);
  (void)
      restrict_scopes();  // best effort: kernels before 6.12 have none, shadow-security(7) says so
  if (const int error = install_terminal_filter(context.plan->network); error != 0) {
    throw SysError{error, "install the terminal filter"};
  }
  // Last: changes of credentials clear the parent-death signal and the dumpable flag
  // (prctl(2), PR_SET_PDEATHSIG).
  die_with_supervisor(context.report);
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

void bring_loopback_up() {
  const sys::Fd socket{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  ifreq request{};
  std::strncpy(request.ifr_name, "lo", sizeof request.ifr_name - 1);
  request.ifr_flags = IFF_UP;
  if (!socket || ::ioctl(socket.get(), SIOCSIFFLAGS, &request) != 0) {
    throw_errno("bring the loopback interface up");
  }
}

void close_inherited() {
  constexpr unsigned kFirst = 3;
  // Close-on-exec instead of close: the report pipe is still needed if exec fails.
  ::close_range(kFirst, ~0U, CLOSE_RANGE_CLOEXEC);
}

void release_inherited(const InitContext& context) {
  for (int fd = 0; fd <= 2; ++fd) {
    ::close(fd);
  }
  // All but the two this process lives on, wherever they are in the order.
  const auto low = static_cast<unsigned>(std::min(context.report, context.live_lock));
  const auto high = static_cast<unsigned>(std::max(context.report, context.live_lock));
  if (low > 0) {
    ::close_range(0, low - 1, 0);
  }
  if (high > low + 1) {
    ::close_range(low + 1, high - 1, 0);
  }
  ::close_range(high + 1, ~0U, 0);
}

}  // namespace shadow::sandbox
