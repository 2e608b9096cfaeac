// SPDX-License-Identifier: MIT
#include "workspace/call/installed.hpp"

#include "shadow_config.hpp"
#include "sys/files/real_path.hpp"

#include <string_view>

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow {
namespace {

// The file that this code is in; "" where that is not known for certain. A relative name is what
// the library was loaded by: the working directory may be another one by now, even the project.
std::string own_file() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&installed_programs), &info) == 0 ||
      info.dli_fname == nullptr || *info.dli_fname != '/') {
    return {};
  }
  return sys::real_path(info.dli_fname).value_or("");
}

bool has_program(const std::string& directory) {
  const std::string program = directory + "/shadow";
  struct stat st {};
  return ::stat(program.c_str(), &st) == 0 && S_ISREG(st.st_mode) &&
         ::access(program.c_str(), X_OK) == 0;
}

}  // namespace

std::string installed_programs() {
  const std::string file = own_file();
  const std::string here = file.substr(0, file.find_last_of('/') + 1);
  constexpr std::string_view kLibraries = "/" SHADOW_LIBDIR "/";
  if (here.ends_with(kLibraries)) {
    std::string moved = here.substr(0, here.size() - kLibraries.size()) + "/" SHADOW_BINDIR;
    if (has_program(moved)) {
      return moved;
    }
  }
  const std::string beside = here.substr(0, here.empty() ? 0 : here.size() - 1);
  return !beside.empty() && has_program(beside) ? beside : SHADOW_PROGRAMS;
}

}  // namespace shadow
