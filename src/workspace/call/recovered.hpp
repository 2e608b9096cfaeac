// SPDX-License-Identifier: MIT
// The database of a project's state, for what is done without opening a session.

#pragma once

#include "store/database/database.hpp"
#include "workspace/call/handle.hpp"

namespace shadow {

// An apply of the project that was interrupted is finished or rolled back first.
[[nodiscard]] store::Database recovered(const ProjectHandle& project);

}  // namespace shadow
