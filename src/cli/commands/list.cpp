// SPDX-License-Identifier: MIT
#include "cli/commands/review.hpp"
#include "cli/render/sessions.hpp"
#include "status/listing.hpp"

namespace shadow::cli {

ExitCode list(const ListOptions& /*options*/, Context& context) {
  const StateDir state = StateDir::open();
  store::Database db{state.database()};
  const std::vector<ListedSession> sessions = list_sessions(state, db);
  if (context.global.json) {
    context.print(sessions_json(sessions));
  } else {
    context.out.write(sessions_text(sessions));
  }
  return ExitCode::Ok;
}

}  // namespace shadow::cli
