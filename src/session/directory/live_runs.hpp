// SPDX-License-Identifier: MIT
// The live runs of a session: how a new run finds the namespaces of a mount that is already there.

#pragma once

#include "sandbox/process/launch.hpp"
#include "session/directory/session_dir.hpp"

#include <cstdint>
#include <optional>
#include <vector>

#include <sys/types.h>

namespace shadow::session {

// One supervisor, or the keeper that outlives it for a moment (finish.hpp), and the descriptors of
// the session's namespaces that it holds open; reachable as /proc/PID/fd/N by processes of the same
// user.
struct LiveRecord {
  pid_t supervisor = 0;
  std::uint64_t start_time = 0;
  int user_fd = -1;
  int mount_fd = -1;
  sandbox::HomeView home = sandbox::HomeView::None;
  pid_t init = 0;               // pid 1 of its run, 0 until known, kKeeper
  std::uint64_t plan_hash = 0;  // of what the namespaces were made from
  std::uint64_t home_hash = 0;  // which home is in them
  static constexpr pid_t kKeeper = -1;
  [[nodiscard]] bool keeper() const { return init == kKeeper; }
};

// The records in the `live` file; stale ones of ended supervisors included.
[[nodiscard]] std::vector<LiveRecord> read_live(const SessionDir& session);

// Replaces or adds the record of its process; forgets those of dead supervisors. With `lock` held.
void register_live(const SessionDir& session, const LiveRecord& record);

// Equal for two session plans that may share a kept mount.
[[nodiscard]] std::uint64_t hash_of(const sandbox::SessionPlan& plan);
[[nodiscard]] std::uint64_t hash_of_home(const sandbox::SessionPlan& plan);

// Opens the namespaces of any live run, or of a keeper that was made from the same plan; nullopt
// when none can be entered. Throws Error when the live runs have another home than `wanted`: its
// own would lie there as it is, with all secrets.
struct JoinableSession {
  sandbox::SessionNamespaces namespaces;
  sandbox::HomeView home = sandbox::HomeView::None;
};
[[nodiscard]] std::optional<JoinableSession> find_joinable(const SessionDir& session,
                                                           const LiveRecord& wanted);

// What holds the mount of a session that is not idle: a run that goes on; else a keeper; else what
// is left of a run whose supervisor is gone.
enum class Holder : std::uint8_t { Run, Keeper, Ending };
[[nodiscard]] Holder holder_of(const SessionDir& session);

// True if a run is live; a keeper does not count.
[[nodiscard]] bool has_live_runs(const SessionDir& session);

// Makes a keeper release the mount, and waits a moment for that. False if it goes on: it first
// records what the run before it left, which takes seconds where that is hundreds of thousands of
// files.
bool dismiss_keeper(const SessionDir& session);

// SessionDir::try_lock_idle, without a keeper in the way.
[[nodiscard]] std::optional<sys::FileLock> try_lock_unkept(const SessionDir& session);

// Waits until every recorded run's processes are gone, so that no mount of the upper is left when a
// new one is made: the `live` lock is dropped a moment before a dying pid namespace is empty.
void wait_for_recorded(const SessionDir& session);

// Kills every recorded run's supervisor, and so the run. With `lock` held, so that none is being
// added.
void kill_recorded(const SessionDir& session);

}  // namespace shadow::session
