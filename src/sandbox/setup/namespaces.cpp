// SPDX-License-Identifier: MIT
#include "sandbox/setup/namespaces.hpp"

#include "shadow/error.hpp"

#include "base/numbers.hpp"
#include "base/text.hpp"
#include "sandbox/setup/refusal.hpp"
#include "sandbox/setup/step.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <cerrno>
#include <vector>

#include <linux/nsfs.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

void write_file(const std::string& path, const std::string& text) {
  const sys::Fd fd = sys::open_path(path, O_WRONLY);
  sys::write_all(fd.get(), text);
}

// EPERM has several causes, each with its own remedy.
[[noreturn]] void explain_no_namespace(NamespacePart part, int error) {
  Refusal refusal = why_no_namespace(part, error, look_around());
  if (refusal.advice.empty()) {
    refusal.advice = "in a container, allow it user namespaces (seccomp profile, --privileged)";
  }
  if (refusal.cause != kAppArmorRestricts) {
    refusal.advice += kDoctorSaysMore;
  }
  const std::string message =
      refusal.cause.empty() ? in_step(std::string{SysError{error, "make a user namespace"}.what()})
                            : "cannot make a user namespace: " + refusal.cause;
  throw Error{message, refusal.advice, ExitCode::NotStarted};
}

std::string identity_map(unsigned id) {
  return std::to_string(id) + " " + std::to_string(id) + " 1";
}

struct IdRange {
  unsigned first = 0;
  unsigned count = 0;
};

// The ids that this process's namespace has: all there are on a plain host, fewer for the root of a
// container that is mapped itself.
std::vector<IdRange> own_ids(const std::string& file) {
  const std::string own = sys::read_file_at(AT_FDCWD, "/proc/self/" + file).value_or("");
  std::vector<IdRange> ranges;
  for (const std::string& line : split(own, '\n')) {
    unsigned inside = 0;
    unsigned outside = 0;
    unsigned count = 0;
    if (read_numbers(line, inside, outside, count)) {
      ranges.push_back({inside, count});
    }
  }
  return ranges;
}

// Each of them as itself (user_namespaces(7): only what the parent maps can be mapped).
std::string whole_map(const std::string& file) {
  std::string map;
  for (const IdRange& ids : own_ids(file)) {
    map += std::to_string(ids.first) + " " + std::to_string(ids.first) + " " +
           std::to_string(ids.count) + "\n";
  }
  return map;
}

}  // namespace

CallerIds caller_ids() {
  return {::geteuid(), ::getegid()};
}

void unshare_session() {
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
    explain_no_namespace(NamespacePart::Making, errno);
  }
}

bool is_mapped(uid_t id) {
  const std::vector<IdRange> ids = own_ids("uid_map");
  return std::any_of(ids.begin(), ids.end(), [id](const IdRange& range) {
    return id >= range.first && id - range.first < range.count;
  });
}

void write_maps(const std::string& process, CallerIds ids, std::optional<uid_t> beside) {
  const std::string proc = "/proc/" + process + "/";
  try {
    if (ids.root()) {
      write_file(proc + "uid_map", beside ? identity_map(ids.uid) + "\n" + identity_map(*beside)
                                          : whole_map("uid_map"));
      write_file(proc + "gid_map", whole_map("gid_map"));
      return;
    }
    // user_namespaces(7): without privilege over the parent, a group is mapped only once setgroups
    // is denied.
    write_file(proc + "setgroups", "deny");
    write_file(proc + "uid_map", identity_map(ids.uid));
    write_file(proc + "gid_map", identity_map(ids.gid));
  } catch (const SysError& error) {
    // Ubuntu's AppArmor lets the namespace be made and then takes every capability in it away.
    explain_no_namespace(NamespacePart::Mapping, error.errno_value());
  }
}

bool are_session(const SessionNamespaces& session) {
  return ::ioctl(session.user.get(), NS_GET_NSTYPE) == CLONE_NEWUSER &&
         ::ioctl(session.mount.get(), NS_GET_NSTYPE) == CLONE_NEWNS;
}

void join_session(const SessionNamespaces& session) {
  // The user namespace first: entering the mount namespace needs capabilities in its owner.
  if (::setns(session.user.get(), CLONE_NEWUSER) != 0 ||
      ::setns(session.mount.get(), CLONE_NEWNS) != 0) {
    throw_errno("join the live session");
  }
}

pid_t clone_run(policy::Network network) {
  // Not clone3(2), which a run is refused: shadow in a run would not work.
  unsigned long flags =
      CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_PARENT;
  if (network != policy::Network::Host) {
    flags |= CLONE_NEWNET;
  }
#if defined(__s390__)
  const long pid = ::syscall(SYS_clone, nullptr, flags, nullptr, nullptr, nullptr);
#else
  const long pid = ::syscall(SYS_clone, flags, nullptr, nullptr, nullptr, nullptr);
#endif
  if (pid < 0) {
    const int error = errno;
    throw SysError{error, "make the run's namespaces", advice_on_nesting(error, look_around())};
  }
  return static_cast<pid_t>(pid);
}

}  // namespace shadow::sandbox
