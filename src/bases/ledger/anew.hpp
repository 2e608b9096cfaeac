// SPDX-License-Identifier: MIT
// Decides when a session last began anew: a run of it began when it had neither a change nor
// another run. What the project had by then was there before anything that the session has made
// since. Pure.

#pragma once

#include "store/tables/runs.hpp"
#include "store/tables/sessions.hpp"

#include <cstdint>
#include <vector>

namespace shadow::bases {

// After a look at the upper. `runs` are those that were not recorded before, and those that go on;
// `first_change_ns` is the earliest time at which the session can have had a change: 0 where that
// was before all of them, INT64_MAX where it has had none. `last_noted` is the last run that was
// noted before the look began: it may have passed what was there before later ones, which are left
// to the next look. No clock tells that of a run that was over within a tick.
[[nodiscard]] store::LastRuns last_runs_after(const store::LastRuns& before,
                                              const std::vector<store::RunRow>& runs,
                                              std::int64_t first_change_ns,
                                              std::int64_t last_noted);

}  // namespace shadow::bases
