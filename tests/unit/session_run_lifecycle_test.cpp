// SPDX-License-Identifier: MIT
#include "session/directory/run_lifecycle.hpp"
#include "store/tables/sessions.hpp"
#include "support/scratch.hpp"
#include "sys/processes/process.hpp"

#include <doctest/doctest.h>

#include <csignal>

#include <unistd.h>

using shadow::RunEnding;
using shadow::RunState;
using shadow::test::Scratch;
namespace session = shadow::session;
namespace store = shadow::store;

namespace {

store::RunRow run_of(pid_t supervisor) {
  store::RunRow run;
  run.session = "s";
  run.argv = {"true"};
  run.started_ns = 5;
  run.supervisor = supervisor;
  run.supervisor_start = static_cast<std::int64_t>(shadow::sys::start_time(supervisor).value_or(1));
  return run;
}

RunState state_of(store::Database& db, const store::RunRow& run) {
  return store::find_run(db, run.id).value().state;
}

struct Project {
  Scratch scratch;
  store::Database db{scratch.path() + "/shadow.db"};

  Project() {
    store::SessionRow row;
    row.id = "s";
    row.project = "/p";
    row.agent = "a";
    store::add_session(db, row);
  }
};

}  // namespace

TEST_SUITE("session/run lifecycle") {
  TEST_CASE("a run is running, has ended, and is settled, one after the other") {
    Project project;
    store::RunRow run = run_of(::getpid());
    session::record_run(project.db, run);
    CHECK(state_of(project.db, run) == RunState::Running);
    CHECK(session::is_live(run));
    session::end_abandoned_runs(project.db, "s");
    CHECK(state_of(project.db, run) == RunState::Running);

    session::mark_ended(run, 9);
    session::record_run(project.db, run);
    CHECK(state_of(project.db, run) == RunState::Ended);
    CHECK_FALSE(session::is_live(run));
    CHECK(store::find_run(project.db, run.id)->ending == RunEnding::Own);

    session::mark_settled(project.db, {run});
    CHECK(state_of(project.db, run) == RunState::Settled);
    CHECK(store::find_run(project.db, run.id)->ended_ns == 9);
  }

  TEST_CASE("a run whose supervisor is gone is not live, and is ended by whoever looks") {
    Project project;
    store::RunRow run = run_of(::getpid());
    run.supervisor_start += 1;  // another process had the number
    session::record_run(project.db, run);
    CHECK(state_of(project.db, run) == RunState::Running);
    CHECK_FALSE(session::is_live(run));
    session::end_abandoned_runs(project.db, "s");
    CHECK(state_of(project.db, run) == RunState::Ended);
    CHECK(store::find_run(project.db, run.id)->ending == RunEnding::Killed);
    CHECK(store::find_run(project.db, run.id)->signal == SIGKILL);
  }
}
