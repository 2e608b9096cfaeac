// SPDX-License-Identifier: MIT
// When a session last began anew, by its runs and by what it had of its own.

#include "bases/ledger/anew.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <vector>

using shadow::bases::last_runs_after;
using shadow::store::LastRuns;
using shadow::store::RunRow;

namespace {

RunRow a_run(std::int64_t started_ns, std::optional<std::int64_t> ended_ns) {
  RunRow run;
  run.started_ns = started_ns;
  run.ended_ns = ended_ns;
  return run;
}

std::int64_t anew(const LastRuns& before, const std::vector<RunRow>& runs,
                  std::int64_t first_change_ns = INT64_MAX) {
  return last_runs_after(before, runs, first_change_ns, INT64_MAX).anew_ns;
}

}  // namespace

TEST_SUITE("bases/anew") {
  TEST_CASE("a run that begins alone in a session without changes begins it anew") {
    CHECK(anew({}, {a_run(5, 7)}) == 5);
    CHECK(anew({}, {a_run(5, std::nullopt)}) == 5);
    CHECK(anew({3, 4}, {a_run(5, 7), a_run(8, std::nullopt)}) == 8);
    CHECK(anew({3, 4}, {}) == 3);
  }

  TEST_CASE("not while another run goes on, recorded by now or not") {
    CHECK(anew({1, 6}, {a_run(5, 7)}) == 1);
    CHECK(anew({1, 5}, {a_run(5, 7)}) == 1);
    CHECK(anew({}, {a_run(5, 9), a_run(8, 10)}) == 5);
    CHECK(anew({}, {a_run(5, 8), a_run(8, 10)}) == 5);
    CHECK(anew({}, {a_run(5, std::nullopt), a_run(8, 10)}) == 5);
    CHECK(anew({1, 2}, {a_run(5, 6), a_run(5, 7)}) == 1);
  }

  TEST_CASE("not with a change of the session's own") {
    CHECK(anew({1, 2}, {a_run(5, 7)}, 0) == 1);
    CHECK(anew({1, 2}, {a_run(5, 7)}, 4) == 1);
    CHECK(anew({1, 2}, {a_run(5, 7)}, 5) == 5);
    CHECK(anew({1, 2}, {a_run(5, 7), a_run(8, 9)}, 6) == 5);
  }

  TEST_CASE("a run that was noted after the look began is left to the next one") {
    RunRow run = a_run(5, 7);
    run.id = 4;
    CHECK(last_runs_after({1, 2}, {run}, INT64_MAX, 3) == LastRuns{1, 2});
    CHECK(last_runs_after({1, 2}, {run}, INT64_MAX, 4) == LastRuns{5, 7});
  }

  TEST_CASE("the last end is kept, and none is forgotten") {
    CHECK(last_runs_after({1, 2}, {a_run(5, 7), a_run(6, std::nullopt)}, 0, 99).end_ns == 7);
    CHECK(last_runs_after({1, 9}, {a_run(5, 7)}, 0, 99).end_ns == 9);
  }
}
