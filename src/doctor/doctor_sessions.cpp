// SPDX-License-Identifier: MIT
// What stands in the way of a run in the sessions that the project has already.
#include "base/text.hpp"
#include "doctor/doctor_checks.hpp"
#include "session/directory/session_dir.hpp"
#include "store/database/database.hpp"
#include "store/tables/sessions.hpp"
#include "upkeep/replaced.hpp"

namespace shadow::doctor {

void check_sessions(Findings& findings, const StateDir& state, const std::string& project) {
  store::Database db{state.database()};
  const std::string usual = named_agent({}).value_or(kDefaultAgent);
  for (const store::SessionRow& row : store::sessions_of_project(db, project)) {
    const auto session = session::SessionDir::find(state, row.id);
    if (session && upkeep::is_replaced(*session, project) && !upkeep::holds_nothing(*session)) {
      findings.push_back({"session of " + quoted(row.agent),
                          row.agent == usual ? Health::Cannot : Health::Degraded,
                          "the project's directory was replaced by another one since it began",
                          upkeep::advice_on_replaced(*session)});
    }
  }
}

}  // namespace shadow::doctor
