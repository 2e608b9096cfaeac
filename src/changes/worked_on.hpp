// SPDX-License-Identifier: MIT
// Relates a text to the changes of another one that was written before it. Pure.

#pragma once

#include "promote/plan/conflict.hpp"

#include <optional>
#include <string_view>

namespace shadow::changes {

// What stands behind the markers of the two sides; behind the second the agent.
inline constexpr std::string_view kMarkedProject = "project";
inline constexpr std::string_view kMarkedSession = "session: ";

// Region by region of what `project` changed of `base`: whether `session` has the project's lines
// there, other ones, or lines of the base again. nullopt when one of them is not text. No two of
// the texts may be equal.
[[nodiscard]] std::optional<promote::WorkedOn> worked_on_text(std::string_view base,
                                                              std::string_view project,
                                                              std::string_view session);

// True if `session` has a line that `later` changed of `base`, and that `project`, which came after
// it, has no more: so it was made from `later`. False where `project` still has a change of
// `later`'s that `session` has not: to compare with `later` would take that back. False when one
// of them is not text.
[[nodiscard]] bool keeps_lines_given_up(std::string_view base, std::string_view later,
                                        std::string_view project, std::string_view session);

// True if `session` has a line that `later` put into `base`, and that `project` has no more,
// whatever else it has of `later`. False when one of them is not text.
[[nodiscard]] bool has_lines_given_up(std::string_view base, std::string_view later,
                                      std::string_view project, std::string_view session);

// True if `shown` has a conflict between markers as an apply writes them (kMarkedProject,
// kMarkedSession), and `session` has none: it is settled there, whichever lines were taken. Of a
// merge of the user's own nobody has asked for that.
[[nodiscard]] bool settles_markers(std::string_view shown, std::string_view session);

// True if `between` is a version on the way from `before` to `after`: each line that it adds to
// `before` is in `after`, and each that it lacks of `before` is not. A person who has seen the
// difference of the two has seen all of its lines. False when one of them is not text.
[[nodiscard]] bool is_on_the_way(std::string_view before, std::string_view between,
                                 std::string_view after);

}  // namespace shadow::changes
