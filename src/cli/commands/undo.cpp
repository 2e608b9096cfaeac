// SPDX-License-Identifier: MIT
#include "cli/commands/review.hpp"
#include "cli/render/commits.hpp"
#include "cli/render/promotion.hpp"
#include "session/commit_promote.hpp"
#include "session/promotion.hpp"
#include "session/recovery.hpp"
#include "store/sessions.hpp"

#include <algorithm>

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
  const auto row = store::find_session(db, plan.of.session);
  const auto session = row ? open_as_it_is(state, *row) : std::nullopt;
  ApplyResult result = session ? undo_in_session(*session, plan) : execute_undo(site, plan);
  const std::vector<UndoneRef> refs = undo_refs(site, plan.of, plan.kept, result.id);
  if (!result.unfinished.empty()) {
    print_note(result.unfinished);
  }
  if (context.global.json) {
    Json record = undo_json(plan, result);
    record["refs"] = undone_json(refs);
    context.print(record);
  } else {
    context.out.write(undo_text(plan, result) + undone_text(refs));
  }
  const bool all = std::all_of(refs.begin(), refs.end(),
                               [](const UndoneRef& undone) { return undone.why.empty(); });
  return plan.kept.empty() && all ? ExitCode::Ok : ExitCode::No;
}

}  // namespace shadow::cli
