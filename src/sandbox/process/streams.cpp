// SPDX-License-Identifier: MIT
#include "sandbox/process/streams.hpp"

#include "shadow/error.hpp"

#include <array>
#include <string>

#include <sys/stat.h>

namespace shadow::sandbox {

void check_streams() {
  constexpr std::array<const char*, 3> kNames = {"input", "output", "error"};
  for (int fd = 0; fd < static_cast<int>(kNames.size()); ++fd) {
    struct stat st {};
    if (::fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
      throw Error{std::string{"cannot run with a directory as standard "} +
                      kNames.at(static_cast<std::size_t>(fd)) +
                      ": the command could change real files by it",
                  "give it a file, a pipe or /dev/null", ExitCode::NotStarted};
    }
  }
}

}  // namespace shadow::sandbox
