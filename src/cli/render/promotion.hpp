// SPDX-License-Identifier: MIT
// What an apply would do, and what it did. Pure.

#pragma once

#include "apply/promotion/promotion.hpp"
#include "cli/render/json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace shadow::cli {

// The changes it takes, and what it leaves and why.
[[nodiscard]] std::string promotion_text(const apply::Promotion& promotion, bool color);

// After it was done: how much was written, how to take it back, what was left.
[[nodiscard]] std::string promoted_text(const apply::Promotion& promotion,
                                        const ApplyResult& result);

// What stays in the session, and why.
[[nodiscard]] std::string left_text(const apply::ChosenChanges& chosen, std::string_view from);

// `result` is null for a dry run.
[[nodiscard]] Json promotion_json(const apply::Promotion& promotion, const ApplyResult* result);

}  // namespace shadow::cli
