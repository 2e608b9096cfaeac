// SPDX-License-Identifier: MIT
// Times as the kernel stamps them.

#pragma once

#include <cstdint>
#include <string>

namespace shadow::sys {

// CLOCK_REALTIME and CLOCK_MONOTONIC in nanoseconds.
[[nodiscard]] std::int64_t now_ns();
[[nodiscard]] std::int64_t monotonic_ns();

// CLOCK_REALTIME_COARSE: the clock that filesystems stamp ctime with (a change made after this call
// never carries an earlier time).
[[nodiscard]] std::int64_t coarse_now_ns();

// The ctime that a change below `directory` gets now: no later one carries an earlier time, and on
// the filesystems with multigrain timestamps (since Linux 6.13, multigrain-ts.rst) each earlier
// change does. Elsewhere it is the coarse clock's. Costs some 10 us.
[[nodiscard]] std::int64_t change_time_now_ns(int directory);

// Returns once the coarse clock has passed `then_ns` (at most one tick when `then_ns` is now).
void wait_for_coarse_tick(std::int64_t then_ns);

// The kernel's boot id: another one means that the machine was restarted in between.
[[nodiscard]] std::string boot_id();

}  // namespace shadow::sys
