// SPDX-License-Identifier: MIT
#include "sandbox/step.hpp"

#include "base/fail_point.hpp"

#include <cstddef>

namespace shadow::sandbox {
namespace {

constexpr const char* words_of(Step step) {
  return kSteps.at(static_cast<std::size_t>(step)).words;
}

constexpr bool in_order() {
  for (std::size_t i = 0; i < kSteps.size(); ++i) {
    if (kSteps.at(i).step != static_cast<Step>(i)) {
      return false;
    }
  }
  return kSteps.back().step == Step::Privileges;
}
static_assert(in_order(), "kSteps has each step once, in the order of the enum");

const char* present = nullptr;

}  // namespace

void begin_step(Step step) {
  present = words_of(step);
  SHADOW_FAIL_POINT(present);
}

std::string in_step(const std::string& message) {
  return present == nullptr ? message
                            : std::string{"cannot set up the run: "} + present + ": " + message;
}

Error in_step(const SysError& error) {
  return Error{in_step(std::string{error.what()}), error.hint(), error.code(), error.paths()};
}

}  // namespace shadow::sandbox
