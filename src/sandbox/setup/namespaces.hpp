// SPDX-License-Identifier: MIT
// The two levels of namespaces. U1/M1 (the session's) own the overlay and make the host read-only;
// U2/M2 (one run's) are made inside them, so that all those mounts are locked: nothing in U2, nor
// in a further namespace, can unmount, move or rebind them (mount_namespaces(7)).

#pragma once

#include "sandbox/setup/plan.hpp"
#include "sys/files/fd.hpp"

#include <optional>
#include <string>

#include <sys/types.h>

namespace shadow::sandbox {

// The caller's effective ids, read before any namespace is made: inside one without maps every id
// reads as the overflow id. For an ordinary user uid and gid map to themselves and nothing else is
// mapped; for root every id maps to itself, so that files of all owners can be copied up.
struct CallerIds {
  uid_t uid = 0;
  gid_t gid = 0;
  [[nodiscard]] bool root() const { return uid == 0; }
};
[[nodiscard]] CallerIds caller_ids();

// The end of a hint that is not complete.
inline constexpr const char* kDoctorSaysMore = "; 'shadow doctor' says more";
// The hint of an error that has no better one.
inline constexpr const char* kAskDoctor = "run 'shadow doctor' to see what is missing";

// Descriptors of a session's namespaces, open in a supervisor.
struct SessionNamespaces {
  sys::Fd user;
  sys::Fd mount;
};

// Puts the calling process into new user and mount namespaces, not yet mapped. Throws Error with
// the cause the kernel leaves unsaid (sysctl, AppArmor, seccomp) and its mend.
void unshare_session();

// True if this process's user namespace has that user.
[[nodiscard]] bool is_mapped(uid_t id);

// Writes the maps of a process' user namespace; `process` is a pid or "self". A process may map
// itself only when the caller is an ordinary user: mapping every id takes capabilities over the
// parent namespace, which a process loses by entering the new one. For root `beside` is the one
// user that is mapped beside itself, where not all are to be.
void write_maps(const std::string& process, CallerIds ids, std::optional<uid_t> beside = {});

// True if the two descriptors refer to a user and a mount namespace.
[[nodiscard]] bool are_session(const SessionNamespaces& session);

// Enters a live session's namespaces. The working directory is lost.
void join_session(const SessionNamespaces& session);

// clone(2) of a child in new user, mount, pid, ipc and uts (and net) namespaces whose parent is the
// caller's parent. Returns 0 in the child. Throws SysError.
[[nodiscard]] pid_t clone_run(policy::Network network);

}  // namespace shadow::sandbox
