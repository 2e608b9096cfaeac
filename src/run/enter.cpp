// SPDX-License-Identifier: MIT
#include "run/enter.hpp"

#include "shadow/error.hpp"

#include "bases/ledger/parked.hpp"
#include "run/durability.hpp"
#include "run/finish.hpp"
#include "session/directory/background.hpp"
#include "session/directory/followed_head.hpp"
#include "session/directory/made_anew.hpp"
#include "store/tables/runs.hpp"
#include "store/tables/sessions.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <unistd.h>

namespace shadow::run {
namespace {

constexpr std::int64_t kPatienceNs = 10'000'000'000;
constexpr std::int64_t kRecordingNs = 180'000'000'000;  // by a process that lives
constexpr useconds_t kFirstPauseUs = 1'000;
constexpr useconds_t kLastPauseUs = 50'000;

// Changes that an undo took from the project while the session was live.
void give_back_first(const Entrance& entrance) {
  store::Database db{entrance.state.database()};
  const sys::Fd lower = sys::open_path(entrance.project, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  bases::give_back_parked(entrance.session, lower.get(), db);
}

void warn_of_machine_crash(const Entrance& entrance) {
  store::Database db{entrance.state.database()};
  const std::string& id = entrance.session.id();
  const std::vector<store::RunRow> last = store::runs_of_session(db, id, 1);
  std::string note = "the machine stopped before the session's last changes were on disk";
  if (!last.empty()) {
    note += " (run " + std::to_string(last[0].id) + ")";
  }
  store::set_note(db, id, note);
  entrance.warn(note + "; check them: shadow diff");
}

EnteredRun enter_by_mounting(const Entrance& entrance, sandbox::LaunchRequest& launch,
                             sys::FileLock live, bool parked) {
  session::wait_for_recorded(entrance.session);
  if (parked) {
    give_back_first(entrance);
  }
  if (session::is_index_behind(entrance.session)) {
    session::keep_up_git(entrance.session, entrance.lock, live.fd());
  }
  if (session::has_more_in_made_anew(entrance.session, entrance.project)) {
    session::show_in_made_anew(entrance.session, entrance.lock, live.fd());
  }
  if (mark_unsynced(entrance.session)) {
    warn_of_machine_crash(entrance);
  }
  if (entrance.first) {
    sys::wait_for_coarse_tick(entrance.base_time_ns);
  }
  launch.live_lock = live.fd();
  session::register_live(entrance.session, entrance.record);
  sandbox::StartedRun started = sandbox::launch_new(launch);
  live.convert(sys::LockMode::Shared);
  return {std::move(started), std::move(live)};
}

EnteredRun enter_by_joining(const Entrance& entrance, sandbox::LaunchRequest& launch,
                            session::JoinableSession joinable) {
  sys::FileLock live = sys::lock_file_at(entrance.session.fd(), "live", sys::LockMode::Shared);
  launch.live_lock = live.fd();
  session::register_live(entrance.session, entrance.record);
  sandbox::StartedRun started = sandbox::launch_joining(launch, joinable.namespaces, joinable.home);
  launch.on_ready(std::move(joinable.namespaces), joinable.home);
  return {std::move(started), std::move(live)};
}

}  // namespace

EnteredRun enter_session(const Entrance& entrance, sandbox::LaunchRequest launch) {
  const bool parked = bases::has_parked(entrance.session);
  // Beneath its mount nothing can be given back, nor shown where the session has its own directory.
  const bool changes_upper =
      parked || session::has_more_in_made_anew(entrance.session, entrance.project);
  const std::int64_t began_ns = sys::monotonic_ns();
  std::int64_t give_up_ns = began_ns + kPatienceNs;
  for (useconds_t pause_us = kFirstPauseUs;; pause_us = std::min(2 * pause_us, kLastPauseUs)) {
    if (changes_upper) {
      (void)session::dismiss_keeper(entrance.session);
    }
    if (auto idle = entrance.session.try_lock_idle()) {
      return enter_by_mounting(entrance, launch, std::move(*idle), parked);
    }
    if (auto joinable = session::find_joinable(entrance.session, entrance.record)) {
      return enter_by_joining(entrance, launch, std::move(*joinable));
    }
    if (!session::dismiss_keeper(entrance.session)) {
      give_up_ns = std::min(began_ns + kRecordingNs, sys::monotonic_ns() + kPatienceNs);
    }
    if (sys::monotonic_ns() >= give_up_ns) {
      throw Error{"cannot start the run: the processes of the session's last run do not end",
                  "'shadow run --as NAME' begins another session; a process that waits for a disk "
                  "or a server cannot be killed before that answers",
                  ExitCode::NotStarted};
    }
    ::usleep(pause_us);
  }
}

}  // namespace shadow::run
