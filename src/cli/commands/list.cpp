// SPDX-License-Identifier: MIT
#include "cli/commands/review.hpp"
#include "cli/render/sessions.hpp"

#include <chrono>

namespace shadow::cli {

ExitCode list(const ListOptions& /*options*/, Context& context) {
  // A wait that a person hardly notices, and in which most sessions can be counted.
  constexpr std::chrono::milliseconds kPatience{500};
  const std::vector<ListedSession> sessions = open_state().sessions(kPatience);
  if (context.global.json) {
    context.print(sessions_json(sessions));
  } else {
    context.out.write(sessions_text(sessions));
  }
  return ExitCode::Ok;
}

}  // namespace shadow::cli
