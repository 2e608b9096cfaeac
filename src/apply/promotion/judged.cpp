// SPDX-License-Identifier: MIT
#include "apply/promotion/judged.hpp"

#include <string_view>
#include <utility>

namespace shadow::apply {

namespace {

// The changes that were judged by their texts.
std::map<std::string_view, const ReviewItem*> judged_in(const std::vector<ReviewItem>& items) {
  std::map<std::string_view, const ReviewItem*> judged;
  for (const ReviewItem& item : items) {
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

void bind_to_judged(const std::vector<ReviewItem>& taken, ApplyPlan& plan) {
  const auto judged = judged_in(taken);
  for (Step& step : plan.steps) {
    const auto found = judged.find(step.path);
    if (found != judged.end() && writes_a_file(step) && !step.bytes) {
      step.judged = found->second->judged;
    }
  }
}

std::map<std::string, std::string> sensitive_as_written(const std::vector<ReviewItem>& taken,
                                                        const JudgeText& judge,
                                                        const ApplyPlan& plan) {
  const auto judged = judged_in(taken);
  std::map<std::string, std::string> found;
  for (const Step& step : plan.steps) {
    const auto item = judged.find(step.path);
    if (item == judged.end() || !writes_a_file(step) || !step.bytes) {
      continue;
    }
    if (std::string why = judge(item->second->change, *step.bytes); !why.empty()) {
      found.emplace(step.path, std::move(why));
    }
  }
  return found;
}

}  // namespace shadow::apply
