// SPDX-License-Identifier: MIT
// Checks that an object database that somebody may have crafted says one thing of each object. git
// does not compare what it takes out of a pack with its name, and takes the first copy that it
// finds: with two of one name, what was read here need not be what git reads.

#pragma once

#include <string>

namespace shadow::git {

// True if the index of each pack is one of version 2 with its names in order, and no name is in two
// packs, or in a pack and as a loose object. False for what cannot be read.
[[nodiscard]] bool is_each_known_once(const std::string& objects);

}  // namespace shadow::git
