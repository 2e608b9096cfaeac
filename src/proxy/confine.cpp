// SPDX-License-Identifier: MIT
#include "proxy/confine.hpp"

#include "shadow/error.hpp"

#include "sandbox/bounds/landlock.hpp"
#include "sandbox/bounds/seccomp.hpp"
#include "sys/processes/privileges.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include <grp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace shadow::proxy {
namespace {

// Root without capabilities still owns root's files. Where the id is not mapped (EINVAL) there is
// no other one to take, and Landlock is what is left.
void become_nobody() {
  constexpr uid_t kNobody = 65534;
  if (::geteuid() != 0) {
    return;
  }
  if (::setgroups(0, nullptr) != 0 || ::setresgid(kNobody, kNobody, kNobody) != 0 ||
      ::setresuid(kNobody, kNobody, kNobody) != 0) {
    if (errno != EINVAL && errno != EPERM) {
      throw_errno("give up the ids of root");
    }
  }
}

void set_limit(__rlimit_resource_t resource, rlim_t amount) {
  rlimit limit{};
  // Lowering needs no privilege; the caller's own limit may be lower already.
  if (::getrlimit(resource, &limit) != 0) {
    throw_errno("read a limit");
  }
  limit.rlim_cur = std::min(limit.rlim_cur, amount);
  limit.rlim_max = std::min(limit.rlim_max, amount);
  if (::setrlimit(resource, &limit) != 0) {
    throw_errno("set a limit");
  }
}

}  // namespace

void confine_process() {
  const pid_t parent = ::getppid();
  become_nobody();
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    throw_errno("forbid new privileges");
  }
  sys::clear_capabilities();
  // The resolver's configuration, where that is a link into /run, and its modules.
  (void)sandbox::restrict_files({"/etc", "/run/systemd/resolve", "/run/NetworkManager",
                                 "/run/resolvconf", "/run/nscd", "/usr/lib", "/usr/lib64", "/lib",
                                 "/lib64", "/usr/share/locale", "/dev/null", "/dev/urandom"});
  (void)sandbox::restrict_scopes();
  // Changes of credentials clear it (prctl(2), PR_SET_PDEATHSIG).
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != parent) {
    throw Error{"its supervisor is gone"};
  }
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

void confine_threads() {
  constexpr rlim_t kDescriptors = 1024;  // 64 connections with two each, and their resolvers'
  set_limit(RLIMIT_NOFILE, kDescriptors);
  set_limit(RLIMIT_NPROC, 0);
  set_limit(RLIMIT_FSIZE, 0);
  set_limit(RLIMIT_CORE, 0);
  if (const int error = sandbox::install_proxy_filter(); error != 0) {
    throw SysError{error, "install the proxy's filter"};
  }
}

}  // namespace shadow::proxy
