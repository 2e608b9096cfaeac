// SPDX-License-Identifier: MIT
// Who is live in a session: how a newcomer finds the namespaces of a mount that is already there.

#pragma once

#include "sandbox/launch.hpp"
#include "session/session_dir.hpp"

#include <cstdint>
#include <optional>
#include <vector>

#include <sys/types.h>

namespace shadow {

// One supervisor and the descriptors of the session's namespaces that it holds open; reachable as
// /proc/PID/fd/N by processes of the same user.
struct LiveRecord {
  pid_t supervisor = 0;
  std::uint64_t start_time = 0;
  int user_fd = -1;
  int mount_fd = -1;
  sandbox::HomeView home = sandbox::HomeView::None;
  pid_t init = 0;  // pid 1 of its run, 0 until known
};

// The records in the `live` file; stale ones of ended supervisors included.
[[nodiscard]] std::vector<LiveRecord> read_live(const SessionDir& session);

// Replaces or adds this process' record; forgets those of dead supervisors. With `lock` held.
void register_live(const SessionDir& session, const LiveRecord& record);

// Opens the namespaces of any live record; nullopt when none can be entered.
struct JoinableSession {
  sandbox::SessionNamespaces namespaces;
  sandbox::HomeView home = sandbox::HomeView::None;
};
[[nodiscard]] std::optional<JoinableSession> find_joinable(const SessionDir& session);

// Waits until every recorded run's processes are gone, so that no mount of the upper is left when a
// new one is made: the `live` lock is dropped a moment before a dying pid namespace is empty.
void wait_for_recorded(const SessionDir& session);

// Kills every recorded run. With `lock` held, so that none is being added.
void kill_recorded(const SessionDir& session);

}  // namespace shadow
