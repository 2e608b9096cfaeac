// SPDX-License-Identifier: MIT
// shadow inside of a run.

#pragma once

#include "cli/parser/options.hpp"
#include "session/project/inside.hpp"

#include <string>
#include <vector>

namespace shadow::launcher {

// Every command but `run` and `shell`: throws Error that says where one is.
[[noreturn]] void refuse_inside(const session::InsideOf& inside, const std::string& verb);

// `run` and `shell`: the command runs in the view where it is started. Options that change its
// environment hold; one that would change what it may see, reach or use is refused, because the
// run's policy was set from outside. The command takes this process' place: returns never, throws
// Error if that cannot be.
[[noreturn]] void run_nested(const session::InsideOf& inside, const cli::GlobalOptions& global,
                             const cli::PolicyFlags& flags, const std::vector<std::string>& argv);

}  // namespace shadow::launcher
