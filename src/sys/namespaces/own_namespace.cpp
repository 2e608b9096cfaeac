// SPDX-License-Identifier: MIT
#include "sys/namespaces/own_namespace.hpp"

#include "sys/files/file.hpp"
#include "sys/namespaces/outer_namespace.hpp"
#include "sys/processes/guest.hpp"

#include <string>

#include <sched.h>
#include <unistd.h>

namespace shadow::sys {
namespace {

void write_proc_self(const std::string& name, const std::string& text) {
  const Fd fd = open_at(AT_FDCWD, "/proc/self/" + name, O_WRONLY);
  write_all(fd.get(), text);
}

}  // namespace

bool enter_own_user_namespace() {
  const uid_t uid = ::geteuid();
  const gid_t gid = ::getegid();
  if (uid == 0 || is_guest() || has_outer_namespace()) {
    return false;
  }
  // Without its maps there is no way back. A container may have mounted /proc read-only.
  if (::access("/proc/self/uid_map", W_OK) != 0) {
    return false;
  }
  // First: there is no way back to where all ids can be told apart.
  keep_outer_namespace();
  if (::unshare(CLONE_NEWUSER) != 0) {
    forget_outer_namespace();
    return false;
  }
  const std::string user = std::to_string(uid);
  const std::string group = std::to_string(gid);
  // user_namespaces(7): an unprivileged writer must deny setgroups before it may map a group.
  write_proc_self("setgroups", "deny");
  write_proc_self("uid_map", user + " " + user + " 1");
  write_proc_self("gid_map", group + " " + group + " 1");
  return true;
}

}  // namespace shadow::sys
