// SPDX-License-Identifier: MIT
#include "launcher/handover.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/processes/helper_program.hpp"

#include <fmt/format.h>

#include <cerrno>

#include <unistd.h>

namespace shadow::launcher {

void hand_over(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  std::string name = "shadow";
  argv.push_back(name.data());
  std::vector<std::string> copies = words;
  for (std::string& word : copies) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  const sys::HelperPlaces places = sys::helper_places("shadow-review");
  sys::execute_helper(places, argv.data(), environ);
  throw SysError{errno, fmt::format("start {}", quoted(places.installed)),
                 "shadow is not installed completely; install it again"};
}

}  // namespace shadow::launcher
