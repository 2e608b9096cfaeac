// SPDX-License-Identifier: MIT
// Work on data that somebody may have crafted, in a process of its own. A pack whose deltas form a
// ring, a file cut short while it is mapped, a FIFO put in place of an object: each would take
// libgit2's process with it, or hold it for ever.

#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace shadow::git {

struct Confinement {
  std::chrono::milliseconds time{std::chrono::seconds{20}};
  std::size_t memory = std::size_t{256} << 20U;  // beyond what the caller has already
};

// For reading commits and files, and for copying many of them.
inline constexpr Confinement kToRead{std::chrono::seconds{120}, std::size_t{1} << 30U};
inline constexpr Confinement kToCopy{std::chrono::seconds{300}, std::size_t{1} << 30U};

// Runs `work` in a child process and returns its result; nullopt if it threw, crashed, or took too
// much time or memory. The answer is as trustworthy as the data.
[[nodiscard]] std::optional<std::string> run_confined(const std::function<std::string()>& work,
                                                      const Confinement& limits = {});

}  // namespace shadow::git
