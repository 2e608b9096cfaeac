// SPDX-License-Identifier: MIT
#include "sys/helper_program.hpp"

#include "shadow_config.hpp"
#include "sys/process.hpp"

#include <cerrno>

#include <unistd.h>

namespace shadow::sys {

HelperPlaces helper_places(const std::string& name) {
  return {program_dir() + "/" + name, SHADOW_LIBEXECDIR "/" + name};
}

void execute_helper(const HelperPlaces& places, char* const* argv, char* const* environment) {
  ::execve(places.beside.c_str(), argv, environment);
  if (errno == ENOENT) {
    ::execve(places.installed.c_str(), argv, environment);
  }
}

}  // namespace shadow::sys
