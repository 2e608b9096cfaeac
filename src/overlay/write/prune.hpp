// SPDX-License-Identifier: MIT
// Taking things out of an upper. Only while no mount uses it, or before the mount is refreshed.

#pragma once

#include "overlay/write/lift.hpp"

#include <functional>
#include <string>
#include <vector>

namespace shadow::overlay {

// Makes the view at `path` (and below) what the lower has there: removes the upper's entry; lifts
// an opaque or deleted parent directory first by whiteouts for everything else it hid and that
// stays hidden, so that no other path of the view changes. Parents that have become redundant are
// removed. A path that is not in the upper and not hidden is fine.
void drop(int upper, int lower, const std::string& path, const StaysHidden& stays_hidden = {});

// Called with each redundant file before it is removed, by the upper's directory and its name
// there; may move it elsewhere.
using BeforeRemoval =
    std::function<void(int dir, const std::string& name, const std::string& path)>;

// Removes from the upper every listed entry that is redundant (equals the lower: see scan), and
// parents that become empty and equal; the view does not change (but that a redundant copy
// is one inode with the names that the lower has for it, and with no others). Directories are
// considered after their children, whatever the order of `paths`. Entries that are changes stay.
// Opaque directories on the way are lifted, as by `drop`.
void prune(int upper, int lower, const std::vector<std::string>& paths,
           const BeforeRemoval& before = {}, const StaysHidden& stays_hidden = {});

// Creates an upper directory chain `path` whose last component is a whiteout, parents merging with
// the lower (mode of the lower's directory, 0755 where it has none). For masks. An existing entry
// at `path` is left, and one in a directory where nothing of the lower shows.
void mask(int upper, int lower, const std::string& path);

// The same for many: each directory is walked to once for those in it.
void mask_all(int upper, int lower, std::vector<std::string> paths);

}  // namespace shadow::overlay
