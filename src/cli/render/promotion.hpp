// SPDX-License-Identifier: MIT
// Texts and JSON about a planned apply, and about one that was done. Pure.

#pragma once

#include "shadow/promotion.hpp"
#include "shadow/workspace_types.hpp"

#include "cli/render/json.hpp"

#include <string>
#include <string_view>

namespace shadow::cli {

// The changes it takes, and what it leaves and why.
[[nodiscard]] std::string promotion_text(const Promotion& promotion, bool color);

// After it was done: how much was written, how to take it back, what was left but for the items
// that were `told` before.
[[nodiscard]] std::string promoted_text(const Promotion& promotion, const workspace::Applied& done,
                                        const std::vector<ReviewItem>& told = {});

// The changes that stay in the session, with the reasons; without those that were `told` before.
[[nodiscard]] std::string left_text(const ChosenChanges& chosen, std::string_view from,
                                    const std::vector<ReviewItem>& told = {});

// `done` is null for a dry run.
[[nodiscard]] JsonText promotion_json(const Promotion& promotion, const workspace::Applied* done);

}  // namespace shadow::cli
