// SPDX-License-Identifier: MIT
// The history of a project's applies, and what an undo does or did.

#pragma once

#include "shadow/promotion.hpp"

#include "cli/render/json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace shadow::cli {

// The applies and undos of a project, newest first.
[[nodiscard]] std::string applies_text(const std::vector<ApplyRecord>& records);
[[nodiscard]] Json applies_json(const std::vector<ApplyRecord>& records);

// The plan of an undo. `from`: where the caller stands in the project, of which paths are shown.
[[nodiscard]] std::string undo_plan_text(const UndoPlan& undo, std::string_view from, bool color);

// The result of an undo: the paths that it wrote, those that it left, and the session's side.
[[nodiscard]] std::string undo_text(const UndoPlan& undo, const UndoOutcome& outcome,
                                    std::string_view from);

// The way on from one of which nothing can be taken back: the apply before it. "" without one.
[[nodiscard]] std::string hint_of_older(const ApplyRecord& stuck,
                                        const std::vector<ApplyRecord>& records);

// Without an outcome: what it would do.
[[nodiscard]] JsonText undo_json(const UndoPlan& undo, const UndoOutcome* outcome);

}  // namespace shadow::cli
