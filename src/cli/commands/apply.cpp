// SPDX-License-Identifier: MIT
#include "apply/commit_branch.hpp"
#include "apply/pick_plan.hpp"
#include "apply/promotion/promotion.hpp"
#include "apply/shown/plan_patch.hpp"
#include "apply/shown/shown.hpp"
#include "apply/shown/shown_refs.hpp"
#include "apply/whole_apply.hpp"
#include "base/text.hpp"
#include "cli/commands/review.hpp"
#include "cli/output/commit_output.hpp"
#include "cli/output/parts.hpp"
#include "cli/output/patch_output.hpp"
#include "cli/render/commits.hpp"
#include "cli/render/promotion.hpp"
#include "cli/terminal/question.hpp"
#include "cli/terminal/terminal.hpp"
#include "commits/show/session_commits.hpp"
#include "session/project/place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace shadow::cli {

namespace {

apply::ApplyChoice choice_of(const ApplyOptions& options, const session::ReviewSession& session) {
  const Project& project = session.project;
  apply::ApplyChoice choice;
  choice.selection = session::Selection{options.paths, project};
  choice.on_conflict = apply::settled(options.on_conflict, session);
  choice.ignored = options.ignored;
  choice.allow_sensitive = options.allow_sensitive;
  choice.skip_sensitive = options.skip_sensitive;
  for (const std::string& path : options.sensitive_paths) {
    choice.sensitive_paths.push_back(session::project_path(path, project));
  }
  return choice;
}

struct Planned {
  apply::Promotion promotion;
  std::size_t offered = 0;  // with -p, how many changes were asked about
  apply::Looked looked;
};

Planned plan(const ApplyOptions& options, const apply::ApplyChoice& choice,
             const session::ReviewSession& session, Context& context) {
  Planned planned;
  if (!options.patch) {
    planned.promotion = apply::plan_promotion(session, choice);
    if (!options.unseen) {
      planned.looked = apply::bind_to_shown(session, planned.promotion);
    }
    return planned;
  }
  planned.promotion =
      apply::plan_picked(session, choice, [&](const std::vector<hunks::Offer>& offers) {
        planned.offered = offers.size();
        return ask_parts_of(session, offers, hunks::PickFor::Apply, context);
      });
  return planned;
}

std::string question(const std::string& root, const apply::Looked& looked) {
  std::string unseen;
  if (looked.never != 0) {
    unseen = looked.never == looked.patches
                 ? " (none of it was ever shown)"
                 : fmt::format(" ({} of {} {} never shown)", looked.never, looked.patches,
                               looked.never == 1 ? "was" : "were");
  }
  return fmt::format("Write this to {}{}?", root, unseen);
}

// What the patch of the work tree does not tell.
std::string not_shown_patches(const commits::CommitPlan& commits, const PatchOptions& patch) {
  if (commits.not_shown.empty() || !commits.git) {
    return {};
  }
  std::vector<BranchWork> rows;
  for (const commits::CommitItem& item : commits.items) {
    if (item.fate != commits::CommitFate::Leave) {
      rows.push_back(item.work);
    }
  }
  return "# " + not_shown_text(commits.not_shown) +
         commits_as_remarks(*commits.git, commits::new_commits(rows), patch);
}

void print_plan(const apply::Promotion& promotion, const commits::CommitPlan& commits,
                const session::ReviewSession& session, bool diff, Context& context) {
  PatchOptions patch;
  patch.binary = true;
  const std::vector<PatchFile> files = diff && apply::can_be_written(promotion)
                                           ? apply::plan_patch(session, promotion.plan)
                                           : std::vector<PatchFile>{};
  if (context.global.json) {
    Json record = promotion_json(promotion, nullptr);
    record["commits"] = plan_json(commits);
    record["not_shown"] = not_shown_json(commits.not_shown);
    apply::ShownNotes notes{files};
    if (diff) {
      std::string text;
      write_patch(
          files, patch, [&text](PatchPart, std::string_view piece) { text += piece; },
          notes.listener());
      notes.whole();
      set_bytes(record, "patch", text);
    }
    context.print(record);
    context.out.flush();
    keep_shown(session, notes);
  } else if (diff) {
    print_shown_patch(session, files, patch, context.color, context.out);
    context.out.write(not_shown_patches(commits, patch));
  } else {
    context.out.write(promotion_text(promotion, context.color) + plan_text(commits));
  }
  context.out.flush();
}

// Some hunks are not what a commit says.
bool wants_commits(const ApplyOptions& options, const apply::ApplyChoice& choice) {
  return !options.no_commits && !options.patch && apply::takes_commits(choice);
}

void tell_skipped(const apply::Promotion& promotion) {
  for (const ReviewItem& item : apply::skipped_conflicts(promotion)) {
    print_note(fmt::format("left in the session: {} ({})", shadow::quoted(item.change.path),
                           to_sentence(item.resolution.clash)));
  }
}

void tell(const apply::Promotion& promotion, ApplyResult result, const commits::CommitPlan& plan,
          const commits::CommitOutcome& commits, Context& context) {
  if (!result.unfinished.empty()) {
    print_note(result.unfinished);
  }
  tell_skipped(promotion);
  const bool files = result.id != 0;
  result.id = std::max(result.id, commits.apply);
  if (context.global.json) {
    Json record = promotion_json(promotion, &result);
    record["commits"] = outcome_json(commits);
    context.print(record);
    return;
  }
  const bool written =
      std::any_of(commits.refs.begin(), commits.refs.end(),
                  [](const commits::MovedRef& moved) { return !moved.ref.empty(); });
  std::string text = promoted_text(promotion, result);
  if (!files && written) {
    text = (commits.apply == 0 ? std::string{}
                               : fmt::format("applied commits; 'shadow undo {}' takes them back\n",
                                             commits.apply)) +
           left_text(promotion.chosen, promotion.place);
  }
  context.out.write(text + outcome_text(plan, commits));
}

// Where the refs cannot be moved, the files are written all the same, and that is said first.
apply::Applied write(const session::ReviewSession& session, const apply::Promotion& promotion,
                     const commits::CommitPlan& commits, apply::ArrivedRefs arrived,
                     bool keep_mtime, Context& context) {
  apply::Applied done;
  try {
    apply::execute_whole(session, promotion, commits, arrived, keep_mtime, done);
  } catch (const Error&) {
    if (done.files.id != 0 && !context.global.json) {
      tell(promotion, done.files, {}, {}, context);
      context.out.flush();
    }
    throw;
  }
  return done;
}

void require_commits_as_shown(const ApplyOptions& options, const session::ReviewSession& session,
                              const commits::CommitPlan& commits) {
  if (!options.unseen) {
    apply::require_refs_as_shown(session, commits);
  }
}

ExitCode put_on_branch(const ApplyOptions& options, const session::ReviewSession& session,
                       Context& context) {
  const apply::MadeBranch made =
      apply::make_branch(session, {*options.branch, options.message, choice_of(options, session),
                                   options.dry_run, options.unseen});
  if (context.global.json) {
    context.print(branch_json(made));
  } else {
    context.out.write(branch_text(made, session::place_in(session.project)));
  }
  return ExitCode::Ok;
}

}  // namespace

ExitCode apply(const ApplyOptions& options, Context& context) {
  if (options.patch) {
    require_text(context);
  }
  const session::ReviewSession session = context.open();
  if (options.branch) {
    return put_on_branch(options, session, context);
  }
  const apply::ApplyChoice choice = choice_of(options, session);
  const bool with_commits = wants_commits(options, choice);
  const std::vector<BranchWork> rows =
      with_commits ? commits::session_commits(session) : std::vector<BranchWork>{};
  auto [promotion, offered, looked] = plan(options, choice, session, context);
  const commits::CommitPlan commits = apply::commits_with(session, rows, promotion, choice);
  if (options.dry_run) {
    print_plan(promotion, commits, session, options.diff, context);
    apply::check_promotion(promotion);
    if (!options.diff) {
      apply::require_as_shown(session, promotion);
    }
    require_commits_as_shown(options, session, commits);
    return ExitCode::Ok;
  }
  const std::size_t count = promotion.plan.steps.size();
  if (count == 0 && offered > 0) {
    tell_skipped(promotion);
    print_note("nothing was written");
    return ExitCode::No;
  }
  apply::check_promotion(promotion);
  require_commits_as_shown(options, session, commits);
  if ((count > 0 || commits.writes()) && !options.patch && !options.yes && !context.global.json &&
      can_ask()) {
    apply::require_as_shown(session, promotion);
    context.out.write(promotion_text(promotion, context.color) + plan_text(commits));
    context.out.flush();
    if (!confirmed(question(session.project.root, looked))) {
      print_note("nothing was written");
      return ExitCode::No;
    }
  }
  apply::Applied done = write(session, promotion, commits,
                              with_commits ? apply::ArrivedRefs::Drop : apply::ArrivedRefs::Keep,
                              options.keep_mtime, context);
  tell(promotion, std::move(done.files), commits, done.commits, context);
  return ExitCode::Ok;
}

}  // namespace shadow::cli
