// SPDX-License-Identifier: MIT
// Which directories of a project are watched: all that git does not ignore, its git directory, and
// of what git ignores as many as the watch takes.

#pragma once

#include "git/patterns/ignore.hpp"
#include "watch/tree_watch.hpp"

#include <string>

namespace shadow::watch {

// Watches the project at `root`, with what a `.git` file points to. Borrows the rules for as long
// as the watch is read. False when the user's limits do not suffice.
bool watch_project(TreeWatch& watch, const std::string& root, git::IgnoreRules& rules);

}  // namespace shadow::watch
