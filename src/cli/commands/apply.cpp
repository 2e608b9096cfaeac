// SPDX-License-Identifier: MIT
#include "base/text.hpp"
#include "cli/commands/review.hpp"
#include "cli/output/commit_output.hpp"
#include "cli/output/parts.hpp"
#include "cli/output/patch_output.hpp"
#include "cli/render/beyond_patch.hpp"
#include "cli/render/commits.hpp"
#include "cli/render/not_shown.hpp"
#include "cli/render/plural.hpp"
#include "cli/render/promotion.hpp"
#include "cli/terminal/question.hpp"
#include "cli/terminal/terminal.hpp"

#include <fmt/format.h>

#include <string>

namespace shadow::cli {

namespace {

workspace::ApplyOptions library_options(const ApplyOptions& options) {
  workspace::ApplyOptions wanted;
  wanted.paths = workspace::Paths::matching(options.paths);
  wanted.on_conflict = options.on_conflict;
  wanted.ignored = options.ignored;
  if (!options.sensitive_paths.empty()) {
    wanted.allow_sensitive_at = workspace::Paths::matching(options.sensitive_paths);
  }
  wanted.allow_sensitive = options.allow_sensitive;
  wanted.skip_sensitive = options.skip_sensitive;
  wanted.commits = !options.no_commits;
  wanted.unseen = options.unseen;
  wanted.keep_mtime = options.keep_mtime;
  return wanted;
}

std::string question(const std::string& root, const workspace::Looked& looked) {
  const std::string refs = plural(looked.never_refs, "ref");
  std::string unseen;
  if (looked.never == looked.patches && looked.never_refs == looked.refs) {
    unseen = looked.patches + looked.refs == 0 ? "" : "none of it was ever shown";
  } else if (looked.never != 0) {
    unseen = fmt::format("{} of {} {} never shown", looked.never, looked.patches,
                         looked.never == 1 ? "was" : "were");
    unseen += looked.never_refs == 0 ? "" : ", nor the commits of " + refs;
  } else if (looked.never_refs != 0) {
    unseen = fmt::format("the commits of {} were never shown", refs);
  }
  return fmt::format("Write this to {}{}?", root, unseen.empty() ? "" : " (" + unseen + ")");
}

// The changes that the patch of the work tree does not show.
void print_not_shown(const workspace::Plan& plan, const PatchOptions& patch, Output& out) {
  if (!plan.not_shown().empty()) {
    out.write("# " + not_shown_text(plan.not_shown()));
    print_as_remarks(plan.commits(), patch, out);
  }
}

void print_plan_json(const workspace::Plan& plan, bool diff, const PatchOptions& patch,
                     Context& context) {
  JsonText record = promotion_json(plan.promotion(), nullptr);
  record.set("commits", refs_json(plan.refs()));
  record.set("not_shown", not_shown_json(plan.not_shown()));
  if (!diff) {
    context.print(std::move(record));
    return;
  }
  workspace::Showing showing = plan.show();
  std::string text;
  try {
    showing.write(patch, [&text](PatchPart, std::string_view piece) { text += piece; });
  } catch (const workspace::Failure&) {
    showing.forget();
    throw;
  }
  record.set_bytes("patch", text);
  context.print(std::move(record));
  context.out.flush();
  showing.finish();
}

// The same of new repositories.
void print_histories(const workspace::Plan& plan, const PatchOptions& patch, Output& out) {
  for (const workspace::Commits& one : plan.commits_of_new_repositories()) {
    out.write("# " + not_shown_text(one.not_shown()));
    print_as_remarks(one, patch, out);
  }
}

void print_plan(const workspace::Plan& plan, bool diff, Context& context) {
  PatchOptions patch;
  patch.binary = true;
  if (context.global.json) {
    print_plan_json(plan, diff, patch, context);
  } else if (diff) {
    context.out.hold();
    workspace::Showing showing = plan.show();
    print_shown(showing, patch, context.color, context.out);
    showing.finish();
    print_not_shown(plan, patch, context.out);
    print_histories(plan, patch, context.out);
    if (const std::string beyond =
            beyond_patch_text(plan.promotion().chosen.taken, {}, plan.promotion().place);
        !beyond.empty()) {
      print_note(beyond);
    }
  } else {
    context.out.write(promotion_text(plan.promotion(), context.color) + plan_text(plan));
  }
  context.out.flush();
}

void report_skipped(const workspace::Plan& plan) {
  for (const ReviewItem& item : plan.skipped()) {
    print_note(fmt::format("left in the session: {} ({})", shadow::quoted(item.change.path),
                           to_sentence(item.resolution.clash)));
  }
}

void report(const workspace::Plan& plan, const workspace::Applied& done, Context& context) {
  report_skipped(plan);
  if (context.global.json) {
    JsonText record = promotion_json(plan.promotion(), &done);
    record.set("commits", moved_json(done.commits.refs));
    context.print(std::move(record));
  } else {
    context.out.write(promoted_text(plan.promotion(), done, plan.skipped()) +
                      outcome_text(plan, done.commits));
  }
}

// Where the refs cannot be moved, the files are written all the same, and that is said first.
const workspace::Applied& write(workspace::Plan& plan, Context& context) {
  try {
    return plan.execute();
  } catch (const workspace::Failure& failure) {
    if (failure.written() && !context.global.json) {
      report_skipped(plan);
      context.out.write(promoted_text(plan.promotion(), plan.done(), plan.skipped()));
      context.out.flush();
    }
    throw;
  }
}

ExitCode put_on_branch(const ApplyOptions& options, const workspace::Review& review,
                       Context& context) {
  const MadeBranch made = review.make_branch(
      {*options.branch, options.message, options.dry_run, library_options(options)});
  if (context.global.json) {
    context.print(branch_json(made));
  } else {
    context.out.write(branch_text(made, review.place()));
  }
  return ExitCode::Ok;
}

ExitCode nothing_written() {
  print_note("nothing was written");
  return ExitCode::No;
}

// True if the person, if there is one, agrees to the changes that are not asked about part by part.
bool agreed(const workspace::Plan& plan, const ApplyOptions& options, const std::string& root,
            Context& context) {
  if (!plan.writes_anything() || options.patch || options.yes || context.global.json ||
      !can_ask()) {
    return true;
  }
  plan.check();
  context.out.write(promotion_text(plan.promotion(), context.color) + plan_text(plan));
  context.out.flush();
  return confirmed(question(root, plan.looked()));
}

ExitCode carry_out(workspace::Plan plan, const ApplyOptions& options,
                   const workspace::Review& review, Context& context) {
  if (options.dry_run) {
    print_plan(plan, options.diff, context);
    plan.check();
    return ExitCode::Ok;
  }
  plan.check_choice();
  if (!agreed(plan, options, review.session().project, context)) {
    return nothing_written();
  }
  const workspace::Applied& done = write(plan, context);
  report(plan, done, context);
  return ExitCode::Ok;
}

ExitCode apply_parts(const ApplyOptions& options, const workspace::Review& review,
                     Context& context) {
  const workspace::ApplyParts parts = review.parts_to_apply(library_options(options));
  workspace::Plan plan = parts.plan(ask_about(parts, PickFor::Apply, review.place(), context));
  if (plan.promotion().plan.steps.empty() && parts.size() > 0 && !options.dry_run) {
    report_skipped(plan);
    return nothing_written();
  }
  return carry_out(std::move(plan), options, review, context);
}

}  // namespace

ExitCode apply(const ApplyOptions& options, Context& context) {
  if (options.patch) {
    require_text(context);
  }
  const workspace::Review review = context.open();
  if (options.branch) {
    return put_on_branch(options, review, context);
  }
  return options.patch ? apply_parts(options, review, context)
                       : carry_out(review.plan(library_options(options)), options, review, context);
}

}  // namespace shadow::cli
