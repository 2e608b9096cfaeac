// SPDX-License-Identifier: MIT
#include "session/directory/recovery.hpp"

#include "promote/recover/transaction.hpp"
#include "store/database/database.hpp"

namespace shadow::session {

void recover_project(const ApplySite& site, const NoteSink& note) {
  if (!promote::recovery_needed(site.state, site.project)) {
    return;
  }
  const promote::RecoveryReport report = promote::recover(site);
  if (report.rolled_back > 0) {
    note("an interrupted apply was rolled back; nothing of it is in the project");
  }
  if (report.finished > 0) {
    note("an interrupted apply was finished");
  }
  for (const std::string& sentence : report.left) {
    note(sentence);
  }
}

void recover_project(const StateDir& state, const std::string& project, const NoteSink& note) {
  if (promote::recovery_needed(state.path(), project)) {
    store::Database db{state.database()};
    recover_project({state.path(), project, db}, note);
  }
}

}  // namespace shadow::session
