// SPDX-License-Identifier: MIT
#include "sys/processes/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace shadow::sys {

void fill_standard_streams() noexcept {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    // Open for reading alone, so that whoever prints to a closed stream gets EBADF as without it.
    // The kernel gives the lowest number that is free, which is this one: those below are open by
    // now.
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", O_RDONLY | O_CLOEXEC) != fd) {
      return;  // a root without /dev/null
    }
  }
}

}  // namespace shadow::sys
