// SPDX-License-Identifier: MIT
// An undo judged by the rules about sensitive changes, in the tree as it will be after it.

#pragma once

#include "shadow/apply.hpp"
#include "shadow/review.hpp"

#include <string>
#include <vector>

namespace shadow::apply {

// What an agent would get in by the undo: each item says why. Where it writes again what an apply
// brought, all of that is judged as in an apply. Where it takes an apply back, the user's own
// earlier files need no question, and nor does an agent's of a sensitive name, which had one when
// it came; judged is what an agent brought and is given back, and what an agent brought since and
// becomes sensitive by what is given back beside it. `patterns` are the user's own.
[[nodiscard]] std::vector<ReviewItem> judge_undo(const ApplySite& site, const UndoPlan& undo,
                                                 const std::vector<std::string>& patterns);

}  // namespace shadow::apply
