// SPDX-License-Identifier: MIT
// The paths that a program names, as the rooms below select by them.

#pragma once

#include "shadow/session.hpp"
#include "shadow/workspace_types.hpp"

#include "session/selection/selection.hpp"

namespace shadow {

[[nodiscard]] session::Selection selection_of(const workspace::Paths& paths,
                                              const Project& project);

}  // namespace shadow
