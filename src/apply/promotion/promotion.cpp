// SPDX-License-Identifier: MIT
#include "apply/promotion/promotion.hpp"

#include "shadow/error.hpp"

#include "apply/choice/merge_plan.hpp"
#include "apply/choice/sensitive_message.hpp"
#include "apply/promotion/git_dir_rights.hpp"
#include "apply/promotion/judged.hpp"
#include "apply/promotion/new_repositories.hpp"
#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "bases/ledger/applied.hpp"
#include "bases/tree/base_tree.hpp"
#include "changes/moves/moved_over.hpp"
#include "changes/rename_pairs.hpp"
#include "changes/review_set.hpp"
#include "changes/selection_match.hpp"
#include "overlay/format/look.hpp"
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

// `rest` is what is not taken.
std::vector<std::string> new_files_that_stay(const std::vector<ReviewItem>& rest,
                                             const ChosenChanges& chosen) {
  const bool any_deleted =
      std::any_of(chosen.taken.begin(), chosen.taken.end(),
                  [](const ReviewItem& item) { return !item.change.after.exists(); });
  std::vector<std::string> files;
  if (!any_deleted) {
    return files;
  }
  for (const ReviewItem& item : rest) {
    if (item.change.kind == ChangeKind::Added && item.drift == Drift::None &&
        item.change.after.kind == EntryKind::File) {
      files.push_back(item.change.path);
    }
  }
  return files;
}

// True if a text that a merge brings may make a change sensitive: then all of it is planned again.
bool may_be_planned_again(const ReviewSet& set, const ApplyChoice& choice) {
  return std::any_of(set.items.begin(), set.items.end(), [&choice](const ReviewItem& item) {
    return !item.judged.empty() && is_merged(item, choice.on_conflict);
  });
}

// The plan for a choice of the set, which loses what it takes; and what is sensitive because of the
// merges in it, with the reasons.
struct Planned {
  Promotion promotion;
  std::map<std::string, std::string> sensitive;
};
Planned plan_once(const session::ReviewSession& session, ReviewSet& set, const PlanBasis& basis,
                  const ApplyChoice& choice, const PutMerges& put) {
  Planned planned;
  Promotion& promotion = planned.promotion;
  promotion.place = session::place_in(session.project);
  promotion.on_conflict = choice.on_conflict;
  ApplyChoice with_pairs = choice;
  with_pairs.together = basis.together;
  with_pairs.held = held_by_history(basis.histories);
  promotion.chosen = choose_changes(set, with_pairs, [&session](const std::string& path) {
    return overlay::look_beneath(session.lower.get(), path).exists();
  });
  promotion.chosen.too_deep = set.too_deep;
  promotion.chosen.held = std::move(with_pairs.held);
  std::copy_if(basis.histories.begin(), basis.histories.end(),
               std::back_inserter(promotion.histories),
               [](const NewHistory& history) { return history.fault.empty(); });
  promotion.new_files = new_files_that_stay(set.items, promotion.chosen);
  promotion.behind = !set.behind.empty();
  set.items = {};
  set.behind = {};
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
  planned.sensitive = sensitive_as_written(promotion.chosen.taken, set.judge_text, promotion.plan);
  bind_to_judged(promotion.chosen.taken, promotion.plan);
  pin_histories(promotion.histories, promotion.plan);
  reduce_git_configs(session, choice, promotion.plan);
  return planned;
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
  PlanBasis basis = plan_basis(session, std::move(set), choice);
  if (may_be_planned_again(basis.set, choice)) {
    return plan_from(session, basis, choice);
  }
  // A set of very many changes is not held twice.
  Planned planned = plan_once(session, basis.set, basis, choice, {});
  if (!planned.sensitive.empty()) {
    throw StaleError{"the files that are to be merged changed meanwhile",
                     "look at the changes again"};
  }
  return std::move(planned.promotion);
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
  ReviewSet set = basis.set;
  Planned planned = plan_once(session, set, basis, choice, put);
  if (!planned.sensitive.empty()) {
    return plan_from(session, with_sensitive(basis, planned.sensitive), choice, put);
  }
  return std::move(planned.promotion);
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
  const MadeFrom later = made_from(promotion.chosen.taken);
  request.record = [&](std::int64_t apply, const EachApplied& each) {
    each([&](const AppliedEntry& path) {
      remember_base(session, apply, path.path, later);
      if (promotion.keeping_base.count(path.path) == 0) {
        bases::put_new_base(session, of_session, path);
      }
      store::add_pending_prune(*session.db, session.row.id, path.path);
      if (promotion.in_part.count(path.path) == 0) {
        store::forget_shown(*session.db, session.row.id, path.path);
      }
    });
    for (const auto& [path, version] : of_session) {
      store::add_apply_base(*session.db, apply, path, store::BaseRole::Session, version);
    }
    keep_new_files_new(session, promotion.new_files);
    store::outdate_tally(*session.db, session.row.id, store::Touched::Anything);
    // A hard link to an unchanged file: that file was copied up for it, and would now hide the
    // project's.
    for (const Step& step : promotion.plan.steps) {
      if (!step.link_to.empty()) {
        store::add_pending_prune(*session.db, session.row.id, step.link_to);
      }
    }
  };
  return execute(session.site(), promotion.plan, request);
}

UndoOutcome undo_in_session(const session::ReviewSession& session, const UndoPlan& undo) {
  UndoOutcome outcome;
  {
    GiveBack back{session, undo};
    try {
      back.prepare();
      outcome.result =
          execute_undo(session.site(), undo,
                       [&](std::int64_t id, const EachApplied& each) { back.record(id, each); });
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
