// SPDX-License-Identifier: MIT
// The dialogue of -p: parts and prompts on the standard output, answers line by line from the
// standard input, whether that is a terminal or not.

#pragma once

#include "cli/output/context.hpp"
#include "hunks/pick_dialogue.hpp"

#include <vector>

namespace shadow::cli {

// Throws Error when the output is to be JSON: there is no place for questions in it.
void require_text(const Context& context);

[[nodiscard]] std::vector<hunks::Pick> ask_parts_of(const session::ReviewSession& session,
                                                    const std::vector<hunks::Offer>& offers,
                                                    hunks::PickFor what, Context& context);

}  // namespace shadow::cli
