// SPDX-License-Identifier: MIT
// The supervisor's wait: signals, time-out, job control, and how the run ended.

#pragma once

#include "sandbox/process/launch.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace shadow::sandbox {

struct RunEnd {
  enum class Cause : std::uint8_t {
    Exited,      // by itself: exit_code
    Signalled,   // the command was killed by `signal`
    TimedOut,    // --timeout
    Terminated,  // the supervisor was asked to end (SIGTERM, SIGHUP), or its parent ended
    Killed       // its pid 1 was killed from outside
  };
  Cause cause = Cause::Exited;
  int exit_code = 0;   // when the command exited
  int signal = 0;      // when it was killed
  int exec_error = 0;  // errno when the command could not be executed (126, 127)
};

// The process that started this one, as a pidfd: readable as soon as it has ended, with all its
// threads, which the parent-death signal does not wait for (prctl(2): it comes when the thread that
// forked ends). Nothing where it cannot be seen, in another pid namespace. Ended already: the empty
// descriptor.
[[nodiscard]] std::optional<sys::Fd> watch_parent();

// Work to be done once the run has lasted for this time.
struct Later {
  std::int64_t after_ns = 0;
  std::function<void()> work;
};

// Waits for the run and everything it left behind. Throws Error (NotStarted) when the command could
// not be started for another reason than its own file.
[[nodiscard]] RunEnd supervise(const StartedRun& run, const BlockedSignals& signals,
                               std::optional<std::int64_t> timeout_ns,
                               const std::optional<sys::Fd>& parent, const Later& later);

// Remembers the terminal's foreground process group, and gives it back on destruction: a shell in
// the run takes the foreground for itself and its group is gone when it ends.
class TerminalGuard {
 public:
  TerminalGuard();
  TerminalGuard(const TerminalGuard&) = delete;
  TerminalGuard(TerminalGuard&&) = delete;
  TerminalGuard& operator=(const TerminalGuard&) = delete;
  TerminalGuard& operator=(TerminalGuard&&) = delete;
  ~TerminalGuard();

 private:
  int terminal_ = -1;
};

}  // namespace shadow::sandbox
