// SPDX-License-Identifier: MIT
#include "cli/render/undo.hpp"

#include "cli/commands/review.hpp"
#include "cli/render/commits.hpp"
#include "cli/terminal/question.hpp"
#include "cli/terminal/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
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

// As an undo would end, but for the question.
ExitCode print_plan(const workspace::Reversal& reversal, const std::string& place,
                    Context& context) {
  const UndoPlan& plan = reversal.plan();
  if (context.global.json) {
    context.print(undo_json(plan, nullptr));
  } else {
    context.out.write(undo_plan_text(plan, place, context.color));
  }
  context.out.flush();
  reversal.check();
  return plan.kept.empty() ? ExitCode::Ok : ExitCode::No;
}

bool may_be_done(const UndoPlan& plan, const UndoOptions& options, const std::string& root,
                 const std::string& place, Context& context) {
  if (options.yes || context.global.json || !can_ask()) {
    return true;
  }
  context.out.write(undo_plan_text(plan, place, context.color));
  context.out.flush();
  return confirmed(fmt::format("Take this back in {}?", root));
}

// Nothing moves on by itself to the apply before one that cannot be taken back.
void print_way_on(const UndoPlan& plan, const workspace::Project& project, Context& context) {
  context.out.flush();
  if (const std::string hint = hint_of_older(plan.of, project.history()); !hint.empty()) {
    print_hint(hint);
  }
}

}  // namespace

ExitCode undo(const UndoOptions& options, Context& context) {
  const workspace::Project project = context.project();
  if (options.list) {
    return list_all(project.history(), context);
  }
  workspace::Reversal reversal = project.plan_undo(options.id, context.global.agent);
  if (options.allow_sensitive) {
    reversal.allow_sensitive();
  } else if (!options.sensitive_paths.empty()) {
    reversal.allow_sensitive(workspace::Paths::matching(options.sensitive_paths));
  }
  const UndoPlan& plan = reversal.plan();
  if (options.dry_run) {
    return print_plan(reversal, project.place(), context);
  }
  reversal.check();
  if (!may_be_done(plan, options, project.root(), project.place(), context)) {
    print_note("nothing was written");
    return ExitCode::No;
  }
  const TakenBack back = reversal.execute();
  if (context.global.json) {
    JsonText record = undo_json(plan, &back.files);
    record.set("refs", undone_json(back.refs));
    context.print(std::move(record));
  } else {
    context.out.write(undo_text(plan, back.files, project.place()) + undone_text(back.refs));
    if (back.files.result.id == 0) {
      print_way_on(plan, project, context);
    }
  }
  const bool all = std::all_of(back.refs.begin(), back.refs.end(),
                               [](const UndoneRef& undone) { return undone.why.empty(); });
  return plan.kept.empty() && all ? ExitCode::Ok : ExitCode::No;
}

}  // namespace shadow::cli
