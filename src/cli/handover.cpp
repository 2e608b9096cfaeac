// SPDX-License-Identifier: MIT
#include "cli/handover.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "shadow_config.hpp"
#include "sys/process.hpp"

#include <fmt/format.h>

#include <cerrno>

#include <unistd.h>

namespace shadow::cli {

void hand_over(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  std::string name = "shadow";
  argv.push_back(name.data());
  std::vector<std::string> copies = words;
  for (std::string& word : copies) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  // Beside this program in a build tree, in libexec once installed.
  const std::string beside = sys::program_dir() + "/shadow-review";
  const std::string installed = SHADOW_LIBEXECDIR "/shadow-review";
  execv(beside.c_str(), argv.data());
  if (errno == ENOENT) {
    execv(installed.c_str(), argv.data());
  }
  throw SysError{errno, fmt::format("start {}", quoted(installed)),
                 "shadow is not installed completely; install it again"};
}

}  // namespace shadow::cli
