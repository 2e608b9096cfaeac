// SPDX-License-Identifier: MIT
// git's ignore rules as they hold in a session's view.

#pragma once

#include "shadow/ignore.hpp"

#include "overlay/read/view.hpp"

#include <string>

namespace shadow::changes {

// The `.gitignore` files come from the view; the list of tracked files and info/exclude from the
// real repository; the user's excludes from the user's own configuration. The descriptors of `view`
// must outlive the rules.
[[nodiscard]] IgnoreRules make_ignore_rules(const overlay::View& view, const std::string& root);

}  // namespace shadow::changes
