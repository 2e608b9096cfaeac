// SPDX-License-Identifier: MIT
#include "cli/render/undo.hpp"

#include "apply/promotion/take_back.hpp"
#include "cli/commands/review.hpp"
#include "cli/render/commits.hpp"
#include "cli/terminal/question.hpp"
#include "cli/terminal/terminal.hpp"
#include "session/directory/recovery.hpp"
#include "upkeep/open_review.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

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

// The session that --as or the environment names.
std::optional<std::string> named_session(const Project& project, const GlobalOptions& global) {
  const auto name = named_interlocutor(global.interlocutor);
  return name ? std::optional{session_id({project.root, *name})} : std::nullopt;
}

ExitCode print_plan(const UndoPlan& plan, Context& context) {
  if (context.global.json) {
    context.print(undo_json(plan, nullptr));
  } else {
    context.out.write(undo_plan_text(plan, context.color));
  }
  return plan.kept.empty() ? ExitCode::Ok : ExitCode::No;
}

bool may_be_done(const UndoPlan& plan, const UndoOptions& options, const std::string& root,
                 Context& context) {
  if (options.yes || context.global.json || !can_ask()) {
    return true;
  }
  context.out.write(undo_plan_text(plan, context.color));
  context.out.flush();
  return confirmed(fmt::format("Take this back in {}?", root));
}

}  // namespace

ExitCode undo(const UndoOptions& options, Context& context) {
  const StateDir state = StateDir::open();
  const Project project = find_project(state, context.global.directory);
  store::Database db{state.database()};
  const ApplySite site{state.path(), project.root, db};
  session::recover_project(site, print_note);
  if (options.list) {
    return list_all(list_applies(site), context);
  }
  upkeep::settle_project(state, project, db, print_note);
  const UndoPlan plan =
      plan_undo(site, choose_undo(site, options.id, named_session(project, context.global)));
  if (options.dry_run) {
    return print_plan(plan, context);
  }
  if (!may_be_done(plan, options, project.root, context)) {
    print_note("nothing was written");
    return ExitCode::No;
  }
  const auto [outcome, refs] = apply::take_back(state, site, plan);
  if (!outcome.result.unfinished.empty()) {
    print_note(outcome.result.unfinished);
  }
  if (context.global.json) {
    Json record = undo_json(plan, &outcome);
    record["refs"] = undone_json(refs);
    context.print(record);
  } else {
    context.out.write(undo_text(plan, outcome) + undone_text(refs));
  }
  const bool all = std::all_of(refs.begin(), refs.end(),
                               [](const commits::UndoneRef& undone) { return undone.why.empty(); });
  return plan.kept.empty() && all ? ExitCode::Ok : ExitCode::No;
}

}  // namespace shadow::cli
