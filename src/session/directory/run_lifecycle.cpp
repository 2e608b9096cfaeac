// SPDX-License-Identifier: MIT
#include "session/directory/run_lifecycle.hpp"

#include "sys/files/clock.hpp"
#include "sys/processes/process.hpp"

#include <csignal>

#include <sys/types.h>

namespace shadow::session {

bool supervisor_lives(const store::RunRow& run) {
  const auto start = sys::start_time(static_cast<pid_t>(run.supervisor));
  return start && static_cast<std::int64_t>(*start) == run.supervisor_start;
}

bool is_live(const store::RunRow& run) {
  return run.state == RunState::Running && supervisor_lives(run);
}

void mark_ended(store::RunRow& run, std::int64_t now_ns) {
  run.state = RunState::Ended;
  run.ended_ns = now_ns;
}

void record_run(store::Database& db, store::RunRow& run) {
  run.id = store::add_run(db, run);
  if (run.state == RunState::Ended) {
    store::end_run(db, run);
  }
}

void end_abandoned_runs(store::Database& db, const std::string& session) {
  for (store::RunRow run : store::unended_runs(db, session)) {
    if (!supervisor_lives(run)) {
      mark_ended(run, sys::now_ns());
      run.signal = SIGKILL;
      run.ending = RunEnding::Killed;
      store::end_run(db, run);
    }
  }
}

void mark_settled(store::Database& db, const std::vector<store::RunRow>& runs) {
  for (const store::RunRow& run : runs) {
    store::settle_run(db, run.id);
  }
}

}  // namespace shadow::session
