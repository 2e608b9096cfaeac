// SPDX-License-Identifier: MIT
// Files that are sensitive in part, or by what they say: what is written of one is what was judged.

#pragma once

#include "shadow/review.hpp"
#include "shadow/steps.hpp"

#include <map>
#include <string>
#include <vector>

namespace shadow::apply {

// True if the step gives a file a content.
[[nodiscard]] bool writes_a_file(const Step& step);

// Has the plan's steps write no other text than that by which the changes were judged, where they
// take it from the session.
void bind_to_judged(const std::vector<ReviewItem>& taken, ApplyPlan& plan);

// The paths, with reasons, that are sensitive by the text that the plan has for them (a merge, a
// part of a change) and were not by the session's.
[[nodiscard]] std::map<std::string, std::string> sensitive_as_written(
    const std::vector<ReviewItem>& taken, const JudgeText& judge, const ApplyPlan& plan);

}  // namespace shadow::apply
