// SPDX-License-Identifier: MIT
#include "base/fail_point.hpp"

#if SHADOW_FAIL_POINTS

#include "shadow/error.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include <unistd.h>

namespace shadow {
namespace {

struct Failure {
  std::string name;
  long pass = 0;
  std::string what;
};

Failure wanted_failure() {
  Failure failure;
  const char* text = std::getenv("SHADOW_FAIL");  // NOLINT(concurrency-mt-unsafe): read once
  const std::string_view all = text == nullptr ? "" : text;
  const std::size_t colon = all.find(':');
  const std::size_t equals = all.find('=', colon);
  if (equals != std::string_view::npos) {
    failure.name = all.substr(0, colon);
    failure.pass = std::strtol(std::string{all.substr(colon + 1)}.c_str(), nullptr, 10);
    failure.what = all.substr(equals + 1);
  }
  return failure;
}

int errno_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, int>, 7> kNames{{{"ENOSPC", ENOSPC},
                                                                    {"EIO", EIO},
                                                                    {"EACCES", EACCES},
                                                                    {"EROFS", EROFS},
                                                                    {"EDQUOT", EDQUOT},
                                                                    {"EPERM", EPERM},
                                                                    {"EINVAL", EINVAL}}};
  for (const auto& [word, value] : kNames) {
    if (word == name) {
      return value;
    }
  }
  return EIO;
}

}  // namespace

void pass_fail_point(const char* name) {
  static const Failure failure = wanted_failure();
  static std::atomic<long> passes{0};
  if (failure.name.empty() || (failure.name != "*" && failure.name != name) ||
      ++passes != failure.pass) {
    return;
  }
  if (failure.what == "kill") {
    ::kill(::getpid(), SIGKILL);
  } else if (failure.what == "stop") {
    ::kill(::getpid(), SIGSTOP);
  } else {
    throw SysError{errno_named(failure.what), std::string{"pass "} + name};
  }
}

}  // namespace shadow

#endif
