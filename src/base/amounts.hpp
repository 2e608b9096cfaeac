// SPDX-License-Identifier: MIT
// Sizes and durations as people write and read them.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace shadow {

// "512", "64K", "512M", "1.5G", "2T" (powers of 1024, optional "iB" or "B"); nullopt when not one.
[[nodiscard]] std::optional<std::uint64_t> parse_size(std::string_view text);

// "0 B", "1023 B", "1.5 KiB", "12 MiB".
[[nodiscard]] std::string human_size(std::uint64_t bytes);

// "30", "30s", "1.5m", "2h", "100ms" as nanoseconds; nullopt when not one or zero.
[[nodiscard]] std::optional<std::int64_t> parse_duration(std::string_view text);

// "3 ms", "1.2 s", "4 min 10 s", "2 h 5 min", "3 d 4 h".
[[nodiscard]] std::string human_duration(std::int64_t nanoseconds);

}  // namespace shadow
