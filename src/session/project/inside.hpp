// SPDX-License-Identifier: MIT
// Tells whether this process is inside of a run, and what it can do there.

#pragma once

#include "shadow/session.hpp"

#include <optional>
#include <string>
#include <vector>

namespace shadow::session {

struct InsideOf {
  std::string session;  // its id
  std::string agent;
};

// The session in whose run this process is; nullopt outside, and for who names a state directory
// there other than "tmpfs", which makes sessions of its own. What tells is the run's own /dev, a
// read-only tmpfs that names the session: a user cannot make one outside, so that no variable ever
// makes a command run without isolation; and a client that passes no variables on is inside, too.
[[nodiscard]] std::optional<InsideOf> find_inside();

// Runs the command in place of this process, in the same view. `project` is -C's. Throws Error
// (NotStarted) when that is another project than the session's. Returns when the command cannot be
// executed: the errno.
[[nodiscard]] int run_inside(const InsideOf& inside, const std::optional<std::string>& project,
                             const std::vector<std::string>& argv,
                             const std::vector<std::string>& environment);

}  // namespace shadow::session
