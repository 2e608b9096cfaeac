// SPDX-License-Identifier: MIT
// Times as people and programs read them. They are nanoseconds since the epoch.

#pragma once

#include <cstdint>
#include <string>

namespace shadow {

// "2026-01-31 14:05:09" in local time.
[[nodiscard]] std::string local_time(std::int64_t ns);

// RFC 3339 in UTC with milliseconds, for --json.
[[nodiscard]] std::string utc_time(std::int64_t ns);

}  // namespace shadow
