// SPDX-License-Identifier: MIT
// The dialogue of -p: parts and prompts on the standard output, answers line by line from the
// standard input, whether that is a terminal or not.

#pragma once

#include "shadow/parts.hpp"
#include "shadow/workspace_plan.hpp"

#include "cli/output/context.hpp"

#include <string>
#include <vector>

namespace shadow::cli {

// Throws Error when the output is to be JSON: there is no place for questions in it.
void require_text(const Context& context);

// The parts of the offers, as they were decided about; those behind the one at which the person
// quit are not among them. `place` is where the caller stands in the project.
[[nodiscard]] std::vector<DecidedParts> ask_about(const workspace::Parts& offers, PickFor what,
                                                  const std::string& place, Context& context);

}  // namespace shadow::cli
