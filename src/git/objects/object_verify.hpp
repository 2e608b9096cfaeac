// SPDX-License-Identifier: MIT
// Checks that each object of a database is what its name says, and of a form that git makes.

#pragma once

#include <string>

namespace shadow::git {

// Why the database in a directory of our own cannot be taken over as it is, as the end of a
// sentence; empty when it can. git compares no object with its name when it takes it out of a pack,
// so each is read here and hashed; and it is checked as git-fsck(1) does. What an object refers to
// may be missing, as in a shallow clone. In a process of its own with limits on time and memory.
[[nodiscard]] std::string fault_of_objects(const std::string& objects);

}  // namespace shadow::git
