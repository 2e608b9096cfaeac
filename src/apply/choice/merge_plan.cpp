// SPDX-License-Identifier: MIT
#include "apply/choice/merge_plan.hpp"

#include "shadow/error.hpp"

#include "changes/rename_pairs.hpp"
#include "changes/reviewed_file.hpp"
#include "changes/rights/attributes.hpp"
#include "overlay/read/arrival.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace shadow::apply {

namespace {

using Items = std::map<std::string, const ReviewItem*>;

// The inputs of a merging step: the two sides and the base they come from.
struct Merged {
  changes::TwoSides sides;
  std::optional<Base> base;
};

class MergeSteps {
 public:
  MergeSteps(const session::ReviewSession& session, const ChosenChanges& chosen)
      : session_{session}, merger_{session} {
    for (const ReviewItem& item : chosen.taken) {
      items_.emplace(item.change.path, &item);
    }
  }

  // False when there is no such merge. `session` gets the session's text, where it was read.
  bool put(const ReviewItem& item, Step& step, std::optional<std::string>& session) const {
    const Merged merged = merged_of(item);
    const Resolution& how = item.resolution;
    const bool conflict = how.verdict == Verdict::Conflict;
    const Side content = conflict ? Side::Both : how.content;
    step.after.mode =
        (how.mode == Side::Project ? merged.sides.project : merged.sides.session).mode;
    const bool others_attributes = !conflict && how.attributes == Side::Project;
    if (others_attributes) {
      step.xattrs = changes::projects_attributes(session_, merged.sides.project_path);
      step.attributes_changed = false;
    }
    // A file with other names is replaced, also for its mode: see add_steps.
    if (content == Side::Project && merged.sides.project_path == step.path &&
        merged.sides.project.nlink <= 1 && step.before.exists()) {
      step.action = Action::SetAttributes;
      return true;
    }
    if (content == Side::Both) {
      auto result =
          merger_.merge(merged.sides, merged.base ? &*merged.base : nullptr,
                        conflict ? changes::BaseText::MayBeMissing : changes::BaseText::Kept);
      if (!result || result->result.outcome == review::MergeResult::Outcome::Binary) {
        return false;
      }
      if (result->result.outcome == review::MergeResult::Outcome::Conflict && !conflict) {
        throw StaleError{"the files that are to be merged changed meanwhile",
                         "look at the changes again"};
      }
      step.bytes = std::move(result->result.text);
      session = std::move(result->session);
    } else if (content == Side::Project) {
      step.bytes = merger_.project_text(merged.sides);
    } else {
      step.bytes = session = merger_.session_text(merged.sides);
    }
    // A review may have shown that text: for a conflict, for a file under its new name, and before
    // the project had a change of its own.
    if (session) {
      Xattrs own = changes::attributes_after(session_, item.change.path, item.change.before.kind);
      step.made_of = as_bytes(overlay::arrival(merged.sides.session, *session, own));
      if (!others_attributes) {
        step.xattrs = std::move(own);
      }
    }
    step.action = Action::Write;
    step.link_to.clear();
    step.after.size = step.bytes->size();
    return true;
  }

 private:
  [[nodiscard]] Merged merged_of(const ReviewItem& item) const {
    const auto partner = items_.find(item.resolution.partner);
    const bool renamed = partner != items_.end();
    const std::string& old_path = renamed ? partner->first : item.change.path;
    Merged merged;
    merged.sides = renamed ? changes::sides_of_rename(partner->second->change, item.change)
                           : changes::sides_of(item.change);
    const auto row = changes::base_of_item(session_, old_path, renamed ? *partner->second : item);
    merged.base = merger_.base_of(merged.sides, row ? &*row : nullptr);
    return merged;
  }

  const session::ReviewSession& session_;
  changes::Merger merger_;
  Items items_;
};

}  // namespace

MergedPaths put_merges(const session::ReviewSession& session, OnConflict how, ChosenChanges& chosen,
                       ApplyPlan& plan) {
  std::map<std::string, const ReviewItem*> merged;
  for (const ReviewItem& item : chosen.taken) {
    if (is_merged(item, how)) {
      merged.emplace(item.change.path, &item);
    }
  }
  if (merged.empty()) {
    return {};
  }
  const MergeSteps steps{session, chosen};
  std::set<std::string> failed;
  MergedPaths paths;
  for (Step& step : plan.steps) {
    const auto found = merged.find(step.path);
    if (found == merged.end()) {
      // Not linked to a file that gets another content than in the session.
      if (merged.count(step.link_to) != 0) {
        step.action = Action::Write;
        step.link_to.clear();
      }
    } else if (std::optional<std::string> text; steps.put(*found->second, step, text)) {
      paths.emplace(step.path, std::move(text));
    } else {
      failed.insert(step.path);
    }
  }
  for (const ReviewItem& item : chosen.taken) {
    if (failed.count(item.change.path) != 0) {
      chosen.conflicts.push_back(item);
      chosen.conflicts.back().resolution.clash =
          changes::small_enough_to_merge(item.change.after) &&
                  changes::small_enough_to_merge(item.change.before)
              ? Clash::Binary
              : Clash::TooLarge;
    }
  }
  std::erase_if(plan.steps, [&](const Step& step) { return failed.count(step.path) != 0; });
  std::erase_if(chosen.taken,
                [&](const ReviewItem& item) { return failed.count(item.change.path) != 0; });
  order_steps(plan.steps);
  return paths;
}

}  // namespace shadow::apply
