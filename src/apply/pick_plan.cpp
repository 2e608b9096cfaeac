// SPDX-License-Identifier: MIT
#include "apply/pick_plan.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "changes/review_set.hpp"
#include "overlay/acls.hpp"
#include "overlay/format.hpp"
#include "overlay/look.hpp"
#include "session/selection.hpp"
#include "sys/acl.hpp"
#include "sys/beneath.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace shadow {

namespace {

constexpr std::string_view kOverlay = "user.overlay.";

using Partial = std::map<std::string, const Pick*>;

// What was offered and not taken, and what stands or falls with it. Directories that were no offer
// are among them: they come back where something taken needs them. Not so those to be deleted,
// which need that everything in them goes.
std::set<std::string> refused_of(const std::vector<ReviewItem>& offered,
                                 const std::vector<Pick>& picks) {
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
  for (const Pick& pick : picks) {
    const bool taken = !takes_nothing(pick);
    settle(pick.offer.item, taken);
    for (const ReviewItem& item : pick.offer.with) {
      settle(item, taken);
    }
  }
  return refused;
}

sys::Fd open_reviewed(int root, const std::string& path, const Entry& reviewed) {
  sys::Fd entry = sys::open_beneath(root, path, O_PATH);
  if (!same_state(overlay::look_fd(entry.get()), reviewed)) {
    throw StaleError{"cannot read " + quoted(path) + ": it changed meanwhile",
                     "look at the changes again"};
  }
  return entry;
}

Xattrs attributes_in(const ReviewSession& session, const Change& change, bool of_session) {
  const sys::Fd real = open_reviewed(session.lower.get(), change.path, change.before);
  const sys::Fd mine = open_reviewed(session.upper.get(), change.path, change.after);
  const sys::Fd& entry = of_session ? mine : real;
  Xattrs attributes;
  overlay::Acls acls = overlay::acls_of(real.get());
  if (of_session) {
    acls = overlay::acls_after(mine.get(), std::move(acls));
  }
  if (acls.access) {
    attributes.emplace(sys::kAccessAcl, *std::move(acls.access));
  }
  if (acls.inherited) {
    attributes.emplace(sys::kDefaultAcl, *std::move(acls.inherited));
  }
  for (auto& [name, value] : overlay::user_xattrs(entry.get())) {
    // What a run wrote in overlayfs' own name is not for the project.
    if (name.compare(0, kOverlay.size(), kOverlay) != 0) {
      attributes.emplace(std::move(name), std::move(value));
    }
  }
  return attributes;
}

// The real file with what was taken. `step` is the one for the whole change.
Step partial_step(const ReviewSession& session, const Pick& pick, Step step) {
  const Change& change = pick.offer.item.change;
  step.before = change.before;
  step.after = change.after;
  step.after.mode = (takes(pick, PartKind::Mode) ? change.after : change.before).mode;
  step.xattrs = attributes_in(session, change, takes(pick, PartKind::Attributes));
  step.source_path.clear();
  step.link_to.clear();
  const bool hunks = takes(pick, PartKind::Hunk);
  const bool whole = takes(pick, PartKind::Whole);
  // A file with other names is replaced, also for its mode: see plan_apply.
  if (!hunks && !whole && change.before.nlink <= 1) {
    step.action = Action::SetAttributes;
    return step;
  }
  auto texts = read_texts(session, pick.offer.item, Shown::Written);
  if (!texts) {
    throw Error{"cannot apply a part of " + quoted(change.path) + ": it is too large"};
  }
  step.action = Action::Write;
  step.bytes = whole ? std::move(texts->after) : apply_hunks(texts->before, taken_hunks(pick));
  step.after.size = step.bytes->size();
  return step;
}

void put_partial_steps(const ReviewSession& session, const Partial& partial, ApplyPlan& plan) {
  for (Step& step : plan.steps) {
    if (const auto found = partial.find(step.path); found != partial.end()) {
      step = partial_step(session, *found->second, std::move(step));
    } else if (partial.count(step.link_to) != 0) {
      // The two are not one file any more.
      step.action = Action::Write;
      step.link_to.clear();
    }
  }
  order_steps(plan.steps);
}

// What is said of a change is what is written of it.
void narrow(const Partial& partial, std::vector<ReviewItem>& taken) {
  for (ReviewItem& item : taken) {
    const auto found = partial.find(item.change.path);
    if (found == partial.end()) {
      continue;
    }
    const Pick& pick = *found->second;
    item.change.content_changed = takes(pick, PartKind::Hunk) || takes(pick, PartKind::Whole);
    item.change.mode_changed = takes(pick, PartKind::Mode);
    item.change.xattrs_changed = item.change.xattrs_changed && takes(pick, PartKind::Attributes);
    item.change.acl_changed = item.change.acl_changed && takes(pick, PartKind::Attributes);
  }
}

// That a directory stays because something in it was refused needs no saying.
void forget_refused_parents(const std::set<std::string>& refused, std::vector<LeftItem>& left) {
  std::erase_if(left, [&refused](const LeftItem& item) {
    const std::string& path = item.item.change.path;
    return item.because == LeftBecause::NotEmpty &&
           std::any_of(refused.begin(), refused.end(),
                       [&path](const std::string& below) { return is_at_or_below(below, path); });
  });
}

// Of a merge only what the session brings is asked about.
std::vector<ReviewItem> as_written(std::vector<ReviewItem> items) {
  for (ReviewItem& item : items) {
    const Resolution& how = item.resolution;
    if (how.verdict == Verdict::Merge && how.partner.empty()) {
      item.change.content_changed = item.change.content_changed && how.content != Side::Project;
      item.change.mode_changed = item.change.mode_changed && how.mode != Side::Project;
    }
  }
  return items;
}

}  // namespace

Promotion plan_picked(const ReviewSession& session, const ApplyChoice& asked,
                      const PickParts& pick) {
  // One conflict is no reason not to be asked about the rest.
  ApplyChoice choice = asked;
  choice.on_conflict = OnConflict::Skip;
  const ReviewSet set = review_changes(session, Selection{}, WalkGitDirs::Yes);
  const Promotion whole = plan_promotion(session, set, choice);
  check_promotion(whole);
  const std::vector<Pick> picks =
      pick(make_offers(as_written(whole.chosen.taken), [](const ReviewItem&) { return true; }));

  ApplyChoice rest = choice;
  rest.refused = refused_of(whole.chosen.taken, picks);
  Promotion promotion = plan_promotion(session, set, rest);
  forget_refused_parents(rest.refused, promotion.chosen.left);
  Partial partial;
  for (const Pick& one : picks) {
    if (!takes_nothing(one) && !takes_everything(one)) {
      partial.emplace(one.offer.item.change.path, &one);
      promotion.in_part.insert(one.offer.item.change.path);
      if (promotion.merged.count(one.offer.item.change.path) != 0) {
        promotion.keeping_base.insert(one.offer.item.change.path);
      }
    }
  }
  put_partial_steps(session, partial, promotion.plan);
  narrow(partial, promotion.chosen.taken);
  return promotion;
}

}  // namespace shadow
