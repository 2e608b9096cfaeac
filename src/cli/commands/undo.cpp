// SPDX-License-Identifier: MIT
#include "cli/commands/review.hpp"
#include "cli/render/promotion.hpp"
#include "session/promotion.hpp"
#include "session/recovery.hpp"
#include "store/sessions.hpp"

namespace shadow::cli {

namespace {

ExitCode list_all(const std::vector<ApplyRecord>& records, Context& context) {
  if (context.global.json) {
    context.print(applies_json(records));
  } else {
    context.out.write(applies_text(records));
  }
  return ExitCode::Ok;
}

}  // namespace

ExitCode undo(const UndoOptions& options, Context& context) {
  const StateDir state = StateDir::open();
  const Project project = find_project(state, context.global.directory);
  store::Database db{state.database()};
  const ApplySite site{state.path(), project.root, db};
  recover_project(site, print_note);
  if (options.list) {
    return list_all(list_applies(site), context);
  }
  const UndoPlan plan = plan_undo(site, options.id);
  const ApplyResult result = execute_undo(site, plan);
  if (const auto row = store::find_session(db, plan.of.session)) {
    if (const auto session = open_as_it_is(state, *row)) {
      follow_undo(*session, plan.plan, result);
    }
  }
  if (!result.unfinished.empty()) {
    print_note(result.unfinished);
  }
  if (context.global.json) {
    context.print(undo_json(plan, result));
  } else {
    context.out.write(undo_text(plan, result));
  }
  return plan.kept.empty() ? ExitCode::Ok : ExitCode::No;
}

}  // namespace shadow::cli
