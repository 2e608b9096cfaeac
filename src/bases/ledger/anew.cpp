// SPDX-License-Identifier: MIT
#include "bases/ledger/anew.hpp"

#include <algorithm>

namespace shadow::bases {

namespace {

// A run that began within the same tick of the clock may have been the first of the two.
bool was_before(const store::RunRow& other, const store::RunRow& run) {
  return other.started_ns < run.started_ns && other.ended_ns && *other.ended_ns < run.started_ns;
}

bool began_alone(const store::RunRow& run, const std::vector<store::RunRow>& runs) {
  return std::all_of(runs.begin(), runs.end(), [&run](const store::RunRow& other) {
    return &other == &run || other.started_ns > run.started_ns || was_before(other, run);
  });
}

}  // namespace

store::LastRuns last_runs_after(const store::LastRuns& before,
                                const std::vector<store::RunRow>& runs,
                                std::int64_t first_change_ns, std::int64_t last_noted) {
  store::LastRuns after = before;
  for (const store::RunRow& run : runs) {
    if (run.id > last_noted) {
      continue;
    }
    if (run.started_ns > before.end_ns && run.started_ns <= first_change_ns &&
        began_alone(run, runs)) {
      after.anew_ns = std::max(after.anew_ns, run.started_ns);
    }
    after.end_ns = std::max(after.end_ns, run.ended_ns.value_or(0));
  }
  return after;
}

}  // namespace shadow::bases
