// SPDX-License-Identifier: MIT
#include "apply/promotion/promotion.hpp"

#include "shadow/error.hpp"

#include "apply/choice/merge_plan.hpp"
#include "apply/choice/sensitive_message.hpp"
#include "apply/promotion/git_dir_rights.hpp"
#include "apply/promotion/judged.hpp"
#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "bases/ledger/applied.hpp"
#include "bases/tree/base_tree.hpp"
#include "changes/moves/moved_over.hpp"
#include "changes/rename_pairs.hpp"
#include "changes/review_set.hpp"
#include "changes/selection_match.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/view.hpp"
#include "sensitive/repositories/new_git_dir.hpp"
#include "session/project/git_dir.hpp"
#include "session/project/place.hpp"
#include "store/tables/apply_bases.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/shown.hpp"
#include "store/tables/tallies.hpp"
#include "sys/files/beneath.hpp"
#include "upkeep/clean_up.hpp"
#include "upkeep/give_back_live.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace shadow::apply {

namespace {

constexpr std::size_t kMostConflictsNamed = 20;

std::vector<std::string> paths_of(const std::vector<ReviewItem>& items) {
  std::vector<std::string> paths;
  paths.reserve(items.size());
  for (const ReviewItem& item : items) {
    paths.push_back(item.change.path);
  }
  return paths;
}

// The config of a new repository can name programs that git runs.
void reduce_git_configs(const session::ReviewSession& session, const ApplyChoice& choice,
                        ApplyPlan& plan) {
  const overlay::View view{session.upper.get(), session.lower.get()};
  for (Step& step : plan.steps) {
    const auto dir = session::git_dir_of(step.path);
    if (!dir || step.action != Action::Write || step.path != *dir + "/config") {
      continue;
    }
    bool allowed = false;
    for (const std::string& path : choice.sensitive_paths) {
      allowed = allowed || is_at_or_below(step.path, path);
    }
    if (!allowed) {
      constexpr std::uint64_t kMostConfig = 1U << 20U;
      step.bytes = sensitive::reduced_git_config(view.read(step.path, kMostConfig).value_or(""));
      step.after.size = step.bytes->size();
    }
  }
}

std::vector<std::string> new_objects(const ReviewSet& set, const std::string& git_dir) {
  std::vector<std::string> files;
  for (const ReviewItem& item : set.items) {
    const Change& change = item.change;
    if (change.after.kind == EntryKind::File && is_at_or_below(change.path, git_dir + "/objects") &&
        sensitive::belongs_to_new_git_dir(change)) {
      files.push_back(change.path);
    }
  }
  return files;
}

// The repositories that the session made, as far as they are selected.
std::vector<NewHistory> new_histories(const session::ReviewSession& session, const ReviewSet& set,
                                      const ApplyChoice& choice) {
  const commits::CommitChoice of_commits{
      choice.allow_sensitive, choice.sensitive_paths,
      commits::shown_entries(set.items, choice.ignored ? changes::IgnoredItems::Include
                                                       : changes::IgnoredItems::LeaveOut)};
  std::vector<NewHistory> found;
  for (const NewGitDir& dir : set.new_git_dirs) {
    if (choice.selection.leads_to(dir.path) && (choice.ignored || !dir.ignored)) {
      const std::vector<std::string> objects = new_objects(set, dir.path);
      found.push_back(commits::judge_new_history(session, dir.path, of_commits, &objects));
    }
  }
  return found;
}

// The paths of histories that stay in the session, each with its reason.
std::map<std::string, std::string> held_by_history(const std::vector<NewHistory>& histories) {
  std::map<std::string, std::string> held;
  for (const NewHistory& history : histories) {
    if (!history.fault.empty()) {
      held.emplace(history.git_dir, history.fault);
    }
  }
  return held;
}

// Has the step write what was judged; false when nothing was at its path.
bool pin(const NewHistory& history, Step& step) {
  const auto text = history.texts.find(step.path);
  const auto copy = history.copies.find(step.path);
  if (text != history.texts.end()) {
    step.bytes = text->second;
    step.after.size = step.bytes->size();
  } else if (copy != history.copies.end()) {
    step.source_fd = copy->second;
    step.after.size = overlay::look_fd(copy->second).size;
  } else {
    return false;
  }
  step.action = Action::Write;
  step.link_to.clear();
  step.after.ino = 0;  // the bytes are not those of the session's file
  return true;
}

// Where a run writes meanwhile, what was judged is what is written.
void pin_histories(const std::vector<NewHistory>& histories, ApplyPlan& plan) {
  for (Step& step : plan.steps) {
    for (const NewHistory& history : histories) {
      if (step.after.kind == EntryKind::File && !pin(history, step) && history.fault.empty() &&
          (is_at_or_below(step.path, history.git_dir + "/refs") ||
           is_at_or_below(step.path, history.git_dir + "/objects"))) {
        throw StaleError{"cannot read " + quoted(history.git_dir) + ": it changed meanwhile",
                         "look at the changes again"};
      }
    }
  }
}

// One in the sentence; several in a line each.
std::string refusal(const std::vector<ReviewItem>& conflicts, std::string_view place) {
  const auto why = [](const ReviewItem& item) { return to_sentence(item.resolution); };
  if (conflicts.size() == 1) {
    return fmt::format("cannot apply {} ({}); nothing was written",
                       quoted(relative_path(conflicts.front().change.path, place)),
                       why(conflicts.front()));
  }
  std::string text =
      fmt::format("cannot apply {} changes in conflict; nothing was written", conflicts.size());
  for (std::size_t i = 0; i < conflicts.size() && i < kMostConflictsNamed; ++i) {
    text += fmt::format("\n  {} ({})", quoted(relative_path(conflicts[i].change.path, place)),
                        why(conflicts[i]));
  }
  if (conflicts.size() > kMostConflictsNamed) {
    text += fmt::format("\n  and {} more", conflicts.size() - kMostConflictsNamed);
  }
  return text;
}

// Markers can settle conflicts of lines alone; of others there is nothing to put side by side.
std::string ways_to_settle(const std::vector<ReviewItem>& conflicts, std::string_view otherwise) {
  const bool any_other =
      std::any_of(conflicts.begin(), conflicts.end(),
                  [](const ReviewItem& item) { return stops(item, OnConflict::Markers); });
  return fmt::format("'shadow apply -n' lists all; --on-conflict=ours or theirs takes one side{}",
                     any_other ? otherwise : ", markers writes both into the file");
}

std::string conflict_hint(const Promotion& promotion) {
  const auto& conflicts = promotion.chosen.conflicts;
  const bool all_merge =
      std::all_of(conflicts.begin(), conflicts.end(),
                  [](const ReviewItem& item) { return item.resolution.verdict == Verdict::Merge; });
  const bool any_back = std::any_of(conflicts.begin(), conflicts.end(), [](const ReviewItem& item) {
    return item.resolution.clash == Clash::TakesBack;
  });
  if (any_back) {
    return "'shadow apply -p' asks about each place; --on-conflict=ours or theirs takes one side";
  }
  return all_merge ? "--on-conflict=merge merges the two versions; 'shadow apply -n' lists all"
                   : ways_to_settle(conflicts, ", skip applies the rest");
}

// The same with these paths sensitive.
PlanBasis with_sensitive(const PlanBasis& basis, const std::map<std::string, std::string>& paths) {
  PlanBasis judged = basis;
  for (ReviewItem& item : judged.set.items) {
    if (const auto found = paths.find(item.change.path); found != paths.end()) {
      item.sensitive = found->second;
      item.judged = {};
    }
  }
  return judged;
}

std::vector<std::string> new_files_that_stay(const ReviewSet& set, const ChosenChanges& chosen) {
  const bool any_deleted =
      std::any_of(chosen.taken.begin(), chosen.taken.end(),
                  [](const ReviewItem& item) { return !item.change.after.exists(); });
  std::vector<std::string> files;
  if (!any_deleted) {
    return files;
  }
  std::set<std::string_view> taken;
  for (const ReviewItem& item : chosen.taken) {
    taken.insert(item.change.path);
  }
  for (const ReviewItem& item : set.items) {
    if (item.change.kind == ChangeKind::Added && item.drift == Drift::None &&
        item.change.after.kind == EntryKind::File && taken.count(item.change.path) == 0) {
      files.push_back(item.change.path);
    }
  }
  return files;
}

// As the review found: nothing of the project's was there.
void keep_new_files_new(const session::ReviewSession& session,
                        const std::vector<std::string>& files) {
  for (const std::string& path : files) {
    if (!store::find_base(*session.db, session.row.id, path)) {
      store::put_base(*session.db, session.row.id, path, Base::absent(BaseSource::Tree));
    }
  }
}

}  // namespace

std::vector<ReviewItem> skipped_conflicts(const Promotion& promotion) {
  std::vector<ReviewItem> items;
  if (promotion.on_conflict == OnConflict::Skip) {
    for (const SkippedItem& left : promotion.chosen.left) {
      if (left.because == SkipReason::Conflict &&
          left.item.resolution.verdict == Verdict::Conflict) {
        items.push_back(left.item);
      }
    }
  }
  return items;
}

Promotion plan_promotion(const session::ReviewSession& session, const ApplyChoice& choice) {
  return plan_promotion(
      session, changes::review_changes(session, session::Selection{}, changes::WalkGitDirs::Yes),
      choice);
}

Promotion plan_promotion(const session::ReviewSession& session, ReviewSet set,
                         const ApplyChoice& choice) {
  return plan_from(session, plan_basis(session, std::move(set), choice), choice);
}

PlanBasis plan_basis(const session::ReviewSession& session, ReviewSet set,
                     const ApplyChoice& choice) {
  changes::require_matches(session, choice.selection, set);
  PlanBasis basis{std::move(set), choice.together};
  basis.histories = new_histories(session, basis.set, choice);
  changes::pair_renames(session, basis.set.items);
  if (choice.on_conflict != OnConflict::Theirs) {
    basis.together = changes::moved_over_conflicts(session, basis.set.items);
  }
  return basis;
}

Promotion plan_from(const session::ReviewSession& session, const PlanBasis& basis,
                    const ApplyChoice& choice, const PutMerges& put) {
  Promotion promotion;
  promotion.place = session::place_in(session.project);
  promotion.on_conflict = choice.on_conflict;
  ApplyChoice with_pairs = choice;
  with_pairs.together = basis.together;
  with_pairs.held = held_by_history(basis.histories);
  promotion.chosen = choose_changes(basis.set, with_pairs, [&session](const std::string& path) {
    return overlay::look_beneath(session.lower.get(), path).exists();
  });
  promotion.chosen.too_deep = basis.set.too_deep;
  promotion.chosen.held = std::move(with_pairs.held);
  std::copy_if(basis.histories.begin(), basis.histories.end(),
               std::back_inserter(promotion.histories),
               [](const NewHistory& history) { return history.fault.empty(); });
  promotion.new_files = new_files_that_stay(basis.set, promotion.chosen);
  promotion.behind = !basis.set.behind.empty();
  promotion.plan.steps.reserve(promotion.chosen.taken.size());
  for (const ReviewItem& item : promotion.chosen.taken) {
    if (item.standing == Standing::GitDir) {
      add_steps_in_git_dir(session.lower.get(), item.change, promotion.plan.steps);
    } else {
      add_steps(promotion.plan.steps, item.change);
    }
  }
  order_steps(promotion.plan.steps);
  promotion.merged =
      put ? put(promotion.chosen, promotion.plan)
          : put_merges(session, choice.on_conflict, promotion.chosen, promotion.plan);
  // A merge may be what neither side was.
  if (const auto paths = sensitive_as_written(basis.set, promotion.plan); !paths.empty()) {
    return plan_from(session, with_sensitive(basis, paths), choice, put);
  }
  bind_to_judged(basis.set, promotion.plan);
  pin_histories(promotion.histories, promotion.plan);
  reduce_git_configs(session, choice, promotion.plan);
  return promotion;
}

void check_promotion(const Promotion& promotion) {
  if (const auto& conflicts = promotion.chosen.conflicts; !conflicts.empty()) {
    throw Error{refusal(conflicts, promotion.place), conflict_hint(promotion), ExitCode::Conflict,
                paths_of(conflicts)};
  }
  const std::vector<ReviewItem> skipped = skipped_conflicts(promotion);
  if (promotion.plan.steps.empty() && !skipped.empty() && promotion.chosen.blocked.empty()) {
    throw Error{refusal(skipped, promotion.place), ways_to_settle(skipped, ""), ExitCode::Conflict,
                paths_of(skipped)};
  }
  if (const auto& blocked = promotion.chosen.blocked; !blocked.empty()) {
    throw sensitive_error(blocked, promotion.place);
  }
}

ApplyResult execute_promotion(const session::ReviewSession& session, const Promotion& promotion,
                              bool keep_mtime) {
  ApplyRequest request;
  request.session = session.row.id;
  request.plan = promotion.plan;
  request.upper = session.upper.get();
  request.keep_mtime = keep_mtime;
  bases::NewBases of_session;
  for (const ReviewItem& item : promotion.chosen.taken) {
    const auto merged = promotion.merged.find(item.change.path);
    if (merged != promotion.merged.end() && promotion.keeping_base.count(item.change.path) == 0) {
      of_session.emplace(item.change.path,
                         bases::base_of_session(session, item.change, merged->second));
    }
  }
  request.record = [&](std::int64_t apply, const std::vector<AppliedPath>& paths) {
    remember_bases(session, apply, paths, promotion.chosen.taken);
    for (const auto& [path, version] : of_session) {
      store::add_apply_base(*session.db, apply, path, store::BaseRole::Session, version);
    }
    bases::put_new_bases(session, promotion.plan, of_session, paths, promotion.keeping_base);
    keep_new_files_new(session, promotion.new_files);
    store::outdate_tally(*session.db, session.row.id, store::Touched::Anything);
    for (const AppliedPath& path : paths) {
      store::add_pending_prune(*session.db, session.row.id, path.path);
      if (promotion.in_part.count(path.path) == 0) {
        store::forget_shown(*session.db, session.row.id, path.path);
      }
    }
    // A hard link to an unchanged file: that file was copied up for it, and would now hide the
    // project's.
    for (const Step& step : promotion.plan.steps) {
      if (!step.link_to.empty()) {
        store::add_pending_prune(*session.db, session.row.id, step.link_to);
      }
    }
  };
  return execute(session.site(), request);
}

UndoOutcome undo_in_session(const session::ReviewSession& session, const UndoPlan& undo) {
  UndoOutcome outcome;
  {
    GiveBack back{session, undo};
    try {
      back.prepare();
      outcome.result = execute_undo(
          session.site(), undo,
          [&](std::int64_t id, const std::vector<AppliedPath>& paths) { back.record(id, paths); });
    } catch (...) {
      back.abandon();
      throw;
    }
    outcome.session = back.outcome();
  }
  if (outcome.session.later > 0) {
    const std::size_t now = std::min(upkeep::give_back_now(session), outcome.session.later);
    outcome.session.later -= now;
    outcome.session.pending += now;
  }
  upkeep::keep_texts(session, outcome.result.paths.size());
  return outcome;
}

}  // namespace shadow::apply
