// SPDX-License-Identifier: MIT
// The view of a live session follows the project: whoever saves a file by renaming, makes one at a
// name that a run has asked for, or switches branches, is seen by the runs that go on.

#pragma once

#include "shadow/session.hpp"

#include <string>

namespace shadow::follow {

// Watches the project and has the view forget what it looked up when something changed, as long as
// the session has live runs. Returns at once when another process does so already.
void follow_project(const StateDir& state, const std::string& session);

}  // namespace shadow::follow
