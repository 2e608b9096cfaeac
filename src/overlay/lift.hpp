// SPDX-License-Identifier: MIT
// Making an upper's directories merge with the lower again, without changing the view.

#pragma once

#include <string>

namespace shadow::overlay {

// Where the directory `path` is opaque, says the same by whiteouts and opaque directories one level
// further down. Nothing to do where it is not, or is no directory.
void lift(int upper, int lower, const std::string& path);

// The same for every directory on the way to `path`, from the top.
void lift_parents(int upper, int lower, const std::string& path);

// Makes room for the lower's entry at `path` to show through: lifts the directories on the way, and
// turns those that were deleted into ones in which all but the way is deleted. Throws Error when a
// parent is something else than a directory in the upper.
void make_way(int upper, int lower, const std::string& path);

}  // namespace shadow::overlay
