// SPDX-License-Identifier: MIT
#include "sys/processes/helper_program.hpp"

#include "shadow_config.hpp"
#include "sys/processes/process.hpp"

#include <cerrno>
#include <string_view>

#include <unistd.h>

namespace shadow::sys {

HelperPlaces helper_places(const std::string& name) {
  const std::string here = program_dir() + "/";
  return {here + name, here + "../libexec/shadow/" + name, SHADOW_LIBEXECDIR "/" + name};
}

std::string launcher_path() {
  const std::string here = program_dir();
  const std::string_view in_libexec = "/libexec/shadow";
  return here.ends_with(in_libexec)
             ? here.substr(0, here.size() - in_libexec.size()) + "/bin/shadow"
             : here + "/shadow";
}

void execute_helper(const HelperPlaces& places, char* const* argv, char* const* environment) {
  for (const std::string* place : {&places.beside, &places.moved, &places.installed}) {
    ::execve(place->c_str(), argv, environment);
    if (errno != ENOENT) {
      return;
    }
  }
}

}  // namespace shadow::sys
