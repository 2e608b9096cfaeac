// SPDX-License-Identifier: MIT
// Which files processes may be writing just now.

#pragma once

#include <cstdint>
#include <vector>

#include <sys/types.h>

namespace shadow::sys {

// A regular file that a process has open, or mapped and shared, so that it can write to it.
struct WritableFile {
  std::uint64_t dev = 0;
  std::uint64_t ino = 0;
  pid_t process = 0;
};

// The files that the given processes and their descendants have open for writing. Processes that
// end meanwhile or that the caller cannot inspect are skipped.
[[nodiscard]] std::vector<WritableFile> writable_files_of(const std::vector<pid_t>& processes);

}  // namespace shadow::sys
