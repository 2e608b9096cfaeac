// SPDX-License-Identifier: MIT
// Waiting for a base tree that is still being taken.

#pragma once

#include "session/directory/session_dir.hpp"

#include <chrono>
#include <functional>

namespace shadow::bases {

// Has it taken once more where the process that took it died. `waiting` is called once when it
// takes longer than a moment. False when there is none yet after `patience`, or none to be had.
bool await_base_tree(const session::SessionDir& session, std::chrono::milliseconds patience,
                     const std::function<void()>& waiting = {});

}  // namespace shadow::bases
