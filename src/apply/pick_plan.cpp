// SPDX-License-Identifier: MIT
#include "apply/pick_plan.hpp"

#include "shadow/error.hpp"

#include "apply/choice/sensitive_message.hpp"
#include "apply/promotion/judged.hpp"
#include "apply/shown/shown.hpp"
#include "base/text.hpp"
#include "changes/review_set.hpp"
#include "review/hunks.hpp"
#include "session/selection/selection.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace shadow::apply {

namespace {

using Partial = std::map<std::string, const hunks::Pick*>;

// Offers that were not taken, and everything that depends on them. Directories that were no offer
// are among them: they come back where something taken needs them. Not so those to be deleted,
// which need that everything in them goes.
std::set<std::string> refused_of(const std::vector<ReviewItem>& offered,
                                 const std::vector<hunks::Pick>& picks) {
  std::set<std::string> refused;
  for (const ReviewItem& item : offered) {
    if (item.change.kind != ChangeKind::Deleted ||
        item.change.before.kind != EntryKind::Directory) {
      refused.insert(item.change.path);
    }
  }
  const auto settle = [&refused](const ReviewItem& item, bool taken) {
    if (taken) {
      refused.erase(item.change.path);
    } else {
      refused.insert(item.change.path);
    }
  };
  for (const hunks::Pick& pick : picks) {
    const bool taken = !hunks::takes_nothing(pick);
    settle(pick.offer.item, taken);
    for (const ReviewItem& item : pick.offer.with) {
      settle(item, taken);
    }
  }
  return refused;
}

// The real file with what was taken. `step` is the one for the whole change.
Step partial_step(const session::ReviewSession& session, const OfferStage& stage,
                  const hunks::Pick& pick, Step step) {
  const Change& change = pick.offer.item.change;
  step.before = change.before;
  step.after = change.after;
  step.after.mode = (hunks::takes(pick, PartKind::Mode) ? change.after : change.before).mode;
  const Xattrs* held = stage.attributes_of(step.path);
  step.xattrs = hunks::takes(pick, PartKind::Attributes) && held != nullptr
                    ? *held
                    : attributes_in(session, change, hunks::takes(pick, PartKind::Attributes));
  step.from_session = false;
  step.source_fd = -1;
  step.bytes.reset();
  step.judged = {};
  step.link_to.clear();
  const bool hunks = hunks::takes(pick, PartKind::Hunk);
  const bool whole = hunks::takes(pick, PartKind::Whole);
  // A file with other names is replaced, also for its mode: see add_steps.
  if (!hunks && !whole && change.before.nlink <= 1) {
    step.action = Action::SetAttributes;
    return step;
  }
  const auto files = hunks::files_of(session, pick.offer, pick.offer.item, Shown::Written);
  auto texts = files.empty() ? std::nullopt : hunks::read_texts(files.front());
  if (!texts) {
    throw Error{"cannot apply a part of " + quoted(change.path) + ": it is too large"};
  }
  step.action = Action::Write;
  step.bytes = whole ? std::move(texts->after)
                     : review::apply_hunks(texts->before, hunks::taken_hunks(pick));
  step.after.size = step.bytes->size();
  return step;
}

void put_partial_steps(const session::ReviewSession& session, const OfferStage& stage,
                       const Partial& partial, ApplyPlan& plan) {
  for (Step& step : plan.steps) {
    stage.put_into(step);
    if (step.bytes) {
      step.judged = {};  // they are judged themselves
    }
    if (const auto found = partial.find(step.path); found != partial.end()) {
      step = partial_step(session, stage, *found->second, std::move(step));
    } else if (partial.count(step.link_to) != 0) {
      // The two are not one file any more.
      step.action = Action::Write;
      step.link_to.clear();
    }
  }
  order_steps(plan.steps);
}

// A part may be what the whole is not: it was asked about too late to leave it out.
void require_harmless_parts(const PartsBasis& basis, const Promotion& promotion) {
  if (basis.choice.allow_sensitive) {
    return;
  }
  std::vector<ReviewItem> found;
  const auto reasons =
      sensitive_as_written(promotion.chosen.taken, basis.all.set.judge_text, promotion.plan);
  for (const ReviewItem& item : promotion.chosen.taken) {
    const std::string& path = item.change.path;
    const auto why = reasons.find(path);
    const bool allowed =
        std::any_of(basis.choice.sensitive_paths.begin(), basis.choice.sensitive_paths.end(),
                    [&path](const std::string& named) { return is_at_or_below(path, named); });
    if (why != reasons.end() && !allowed) {
      found.push_back(item);
      found.back().sensitive = why->second;
    }
  }
  if (!found.empty()) {
    throw sensitive_error(found, promotion.place);
  }
}

// Reports on a change must match what is written of it.
void narrow(const Partial& partial, std::vector<ReviewItem>& taken) {
  for (ReviewItem& item : taken) {
    const auto found = partial.find(item.change.path);
    if (found == partial.end()) {
      continue;
    }
    const hunks::Pick& pick = *found->second;
    item.change.content_changed =
        hunks::takes(pick, PartKind::Hunk) || hunks::takes(pick, PartKind::Whole);
    item.change.mode_changed = hunks::takes(pick, PartKind::Mode);
    item.change.xattrs_changed =
        item.change.xattrs_changed && hunks::takes(pick, PartKind::Attributes);
    item.change.acl_changed = item.change.acl_changed && hunks::takes(pick, PartKind::Attributes);
  }
}

// That a directory stays because something in it was refused needs no saying.
void forget_refused_parents(const std::set<std::string>& refused, std::vector<SkippedItem>& left) {
  std::erase_if(left, [&refused](const SkippedItem& item) {
    const std::string& path = item.item.change.path;
    return item.because == SkipReason::NotEmpty &&
           std::any_of(refused.begin(), refused.end(),
                       [&path](const std::string& below) { return is_at_or_below(below, path); });
  });
}

// Only the session's part of a merge is offered.
std::vector<ReviewItem> as_written(std::vector<ReviewItem> items) {
  for (ReviewItem& item : items) {
    const Resolution& how = item.resolution;
    if (how.verdict == Verdict::Merge && how.partner.empty()) {
      item.change.content_changed = item.change.content_changed && how.content != Side::Project;
      item.change.mode_changed = item.change.mode_changed && how.mode != Side::Project;
      const bool own_attributes = how.attributes != Side::Project;
      item.change.xattrs_changed = item.change.xattrs_changed && own_attributes;
      item.change.acl_changed = item.change.acl_changed && own_attributes;
    }
  }
  return items;
}

bool takes_back(const ReviewItem& item) {
  return item.resolution.verdict == Verdict::Conflict &&
         item.resolution.clash == Clash::TakesBack && item.resolution.partner.empty();
}

// If the session has the project's text from before an edit, only a person can say which one is
// meant: each place is asked about as any other.
std::set<std::string> ask_about_taken_back(ReviewSet& set) {
  std::set<std::string> paths;
  for (ReviewItem& item : set.items) {
    if (takes_back(item)) {
      paths.insert(item.change.path);
      item.resolution = {};
      item.resolution.replaces = true;
    }
  }
  return paths;
}

// The merges that were shown, once more: the session's side of them may be another one by now.
PutMerges merges_of(const Promotion& whole) {
  return [&whole](ChosenChanges&, ApplyPlan& plan) {
    std::map<std::string, const Step*> shown;
    for (const Step& step : whole.plan.steps) {
      if (whole.merged.count(step.path) != 0 && step.after.exists()) {
        shown.emplace(step.path, &step);
      }
    }
    MergedPaths merged;
    for (Step& step : plan.steps) {
      if (const auto same = shown.find(step.path); same != shown.end() && step.after.exists()) {
        step = *same->second;
        merged.insert(*whole.merged.find(step.path));
      } else if (whole.merged.count(step.link_to) != 0) {
        step.action = Action::Write;  // not linked to a file that gets another content
        step.link_to.clear();
      }
    }
    order_steps(plan.steps);
    return merged;
  };
}

// The pick's files, if every part was shown.
std::vector<PatchFile> shown_files(const session::ReviewSession& session, const hunks::Pick& pick) {
  const bool all =
      std::all_of(pick.parts.begin(), pick.parts.end(), [](const Part& part) { return part.seen; });
  return all ? hunks::files_of(session, pick.offer, pick.offer.item, Shown::Written)
             : std::vector<PatchFile>{};
}

// Records changes whose every part was shown.
void note_shown(const session::ReviewSession& session, const std::vector<hunks::Pick>& picks) {
  PatchOptions options;
  options.renames = Renames::Off;
  for (const hunks::Pick& pick : picks) {
    try {
      const std::vector<PatchFile> files = shown_files(session, pick);
      ShownNotes notes{files};
      write_patch(
          files, options, [](PatchPart, std::string_view) {}, notes.listener());
      notes.whole();
      notes.keep(session);
    } catch (const StaleError&) {
      // It was saved meanwhile. What is taken of it is compared once more when that is written, and
      // if nothing is, it stops nothing.
    }
  }
}

}  // namespace

PartsBasis offer_parts(const session::ReviewSession& session, const ApplyChoice& asked) {
  PartsBasis basis;
  basis.choice = asked;
  // One conflict is no reason not to be asked about the rest.
  basis.choice.on_conflict = OnConflict::Skip;
  ReviewSet set = changes::review_changes(session, session::Selection{}, changes::WalkGitDirs::Yes);
  basis.taken_back = ask_about_taken_back(set);
  basis.all = plan_basis(session, std::move(set), basis.choice);
  basis.whole = plan_from(session, basis.all, basis.choice);
  check_promotion(basis.whole);
  basis.offers = hunks::make_offers(as_written(basis.whole.chosen.taken),
                                    [](const ReviewItem&) { return true; });
  basis.stage = std::make_shared<const OfferStage>(session, basis.whole.plan, basis.offers);
  for (hunks::Offer& offer : basis.offers) {
    offer.held = {basis.stage, &basis.stage->files()};
  }
  return basis;
}

Promotion plan_picked(const session::ReviewSession& session, const PartsBasis& basis,
                      const std::vector<hunks::Pick>& picks) {
  note_shown(session, picks);
  ApplyChoice rest = basis.choice;
  rest.refused = refused_of(basis.whole.chosen.taken, picks);
  Promotion promotion = plan_from(session, basis.all, rest, merges_of(basis.whole));
  promotion.held = basis.stage;
  forget_refused_parents(rest.refused, promotion.chosen.left);
  Partial partial;
  for (const hunks::Pick& one : picks) {
    if (!hunks::takes_nothing(one) && !hunks::takes_everything(one)) {
      const std::string& path = one.offer.item.change.path;
      partial.emplace(path, &one);
      promotion.in_part.insert(path);
      if (promotion.merged.count(path) != 0 || basis.taken_back.count(path) != 0) {
        promotion.keeping_base.insert(path);
      }
    }
  }
  put_partial_steps(session, *basis.stage, partial, promotion.plan);
  require_harmless_parts(basis, promotion);
  narrow(partial, promotion.chosen.taken);
  return promotion;
}

}  // namespace shadow::apply
