// SPDX-License-Identifier: MIT
#include "workspace/call/recovered.hpp"

#include "session/directory/recovery.hpp"
#include "upkeep/reserve.hpp"
#include "workspace/call/call.hpp"

namespace shadow {

store::Database recovered(const ProjectHandle& project) {
  const StateHandle& state = *project.state;
  report_stage(state, workspace::Stage::Opening);
  upkeep::use_reserve_if_full(state.dir);
  store::Database db{state.dir.database()};
  session::recover_project({state.dir.path(), project.project.root, db}, note_sink(state));
  return db;
}

}  // namespace shadow
