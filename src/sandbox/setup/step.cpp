// SPDX-License-Identifier: MIT
#include "sandbox/setup/step.hpp"

#include "base/fail_point.hpp"
#include "sandbox/setup/refusal.hpp"

#include <cstddef>
#include <optional>
#include <utility>

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

std::optional<Step> present;

}  // namespace

void begin_step(Step step) {
  present = step;
  SHADOW_FAIL_POINT(words_of(step));
}

std::string in_step(const std::string& message) {
  return present ? std::string{"cannot set up the run: "} + words_of(*present) + ": " + message
                 : message;
}

Error in_step(const SysError& error) {
  // A requested path usually fails for a reason of its own.
  const bool of_machine = present && *present <= Step::ProcLimits && *present != Step::TakeFromHost;
  std::string hint = error.hint();
  if (hint.empty() && of_machine) {
    hint = advice_on_mount(error.errno_value(), look_around());
  }
  return Error{in_step(std::string{error.what()}), std::move(hint), error.code(), error.paths()};
}

}  // namespace shadow::sandbox
