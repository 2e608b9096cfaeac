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
// was before all of them, INT64_MAX where it has had none. Runs that began after `looked_ns`, as
// the look did, are left to the next one: it may have passed what was there before them.
[[nodiscard]] store::LastRuns last_runs_after(const store::LastRuns& before,
                                              const std::vector<store::RunRow>& runs,
                                              std::int64_t first_change_ns, std::int64_t looked_ns);

}  // namespace shadow::bases
