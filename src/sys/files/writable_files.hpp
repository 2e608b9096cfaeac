// SPDX-License-Identifier: MIT
// Which files processes may be writing just now.

#pragma once

#include <cstdint>
#include <string>
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

// True if anybody has the regular file `name` of the directory open for writing, or mapped so, as
// the kernel counts it: it grants no read lease then (fcntl(2), F_SETLEASE). False, too, where it
// cannot be told, as of a file of somebody else's.
[[nodiscard]] bool is_open_for_writing(int dir, const std::string& name);

}  // namespace shadow::sys
