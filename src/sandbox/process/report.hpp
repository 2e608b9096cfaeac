// SPDX-License-Identifier: MIT
// Messages from the processes of a run to the supervisor, over one pipe, each one an atomic write.

#pragma once

#include "shadow/error.hpp"

#include "sys/files/fd.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include <sys/types.h>

namespace shadow::sandbox {

struct Report {
  enum class Kind : std::uint8_t {
    Failed,     // anyone before exec: message and hint; number = exit code
    NoCommand,  // exec failed; number = errno
    Stopped,    // init: the command was stopped; number = signal
    Ended       // init: the command ended; number = wait status
  };
  Kind kind = Kind::Ended;
  std::int64_t number = 0;
  std::string message;
  std::string hint;
};

// Never throws: there is nobody to tell.
void send_report(int fd, const Report& report) noexcept;
void send_error(int fd, const Error& error) noexcept;

// The next message; nullopt at end of file (every writer is gone).
[[nodiscard]] std::optional<Report> receive_report(int fd);

// The signal by which the supervisor hands a SIGCONT on to pid 1, queued with the number of the
// stop that it ends, or with 0 where there was none. SIGCONT itself takes a stop back that is not
// delivered yet: one that comes late, when the caller's shell has long continued the whole group,
// would undo the next Ctrl-Z.
[[nodiscard]] int continue_signal();

}  // namespace shadow::sandbox
