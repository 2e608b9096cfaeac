// SPDX-License-Identifier: MIT
// What must hold between a real tree, the view of a session, and what the overlay room says.

#pragma once

#include "shadow/change.hpp"

#include "overlay/read/view.hpp"
#include "support/tree.hpp"

#include <optional>
#include <string>

namespace shadow::test {

// The view as View works it out.
[[nodiscard]] Snapshot snapshot(const shadow::overlay::View& view);

// The set explains exactly the difference of the two trees, hard links included. One line for each
// thing that is wrong, '' when there is none.
[[nodiscard]] std::string complaints(const shadow::ChangeSet& set, const Snapshot& lower,
                                     const Snapshot& view);

// The view after `path` was dropped; nullopt where that cannot be, because a parent is a file in
// the session.
[[nodiscard]] std::optional<Snapshot> after_drop(const Snapshot& view, const Snapshot& lower,
                                                 const std::string& path);

}  // namespace shadow::test
