// SPDX-License-Identifier: MIT
#include "git/repository/handle.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"

#include <array>
#include <string>

namespace shadow::git {
namespace {

bool start() {
  if (git_libgit2_init() < 0) {
    throw Error{"cannot start libgit2"};
  }
  constexpr std::array kLevels{GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM,
                               GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL};
  for (const git_config_level_t level : kLevels) {
    check(git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, ""), "clear libgit2's search paths");
  }
  return true;
}

}  // namespace

void start_libgit2() {
  // Never shut down: the process ends soon after, and other threads may still be inside.
  [[maybe_unused]] static const bool started = start();
}

void check(int result, const char* doing) {
  if (result >= 0) {
    return;
  }
  const git_error* last = git_error_last();
  const std::string why =
      last != nullptr && last->message != nullptr ? printable(last->message) : "unknown error";
  const std::string message = std::string{"cannot "} + doing + ": " + why;
  if (result == GIT_EMISMATCH) {
    throw StaleError{message};
  }
  throw Error{message};
}

}  // namespace shadow::git
