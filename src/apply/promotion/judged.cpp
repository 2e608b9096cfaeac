// SPDX-License-Identifier: MIT
#include "apply/promotion/judged.hpp"

#include <string_view>
#include <utility>

namespace shadow::apply {

namespace {

// The changes that were judged by their texts.
std::map<std::string_view, const ReviewItem*> judged_in(const ReviewSet& set) {
  std::map<std::string_view, const ReviewItem*> judged;
  for (const ReviewItem& item : set.items) {
    if (!item.judged.empty()) {
      judged.emplace(item.change.path, &item);
    }
  }
  return judged;
}

}  // namespace

bool writes_a_file(const Step& step) {
  return step.after.kind == EntryKind::File &&
         (step.action == Action::Write || step.action == Action::HardLink);
}

void bind_to_judged(const ReviewSet& set, ApplyPlan& plan) {
  const auto judged = judged_in(set);
  for (Step& step : plan.steps) {
    const auto found = judged.find(step.path);
    if (found != judged.end() && writes_a_file(step) && !step.bytes) {
      step.judged = found->second->judged;
    }
  }
}

std::map<std::string, std::string> sensitive_as_written(const ReviewSet& set,
                                                        const ApplyPlan& plan) {
  const auto judged = judged_in(set);
  std::map<std::string, std::string> found;
  for (const Step& step : plan.steps) {
    const auto item = judged.find(step.path);
    if (item == judged.end() || !writes_a_file(step) || !step.bytes) {
      continue;
    }
    if (std::string why = set.judge_text(item->second->change, *step.bytes); !why.empty()) {
      found.emplace(step.path, std::move(why));
    }
  }
  return found;
}

}  // namespace shadow::apply
