// SPDX-License-Identifier: MIT
// Objects into a repository's store, as loose ones.

#pragma once

#include <string>
#include <vector>

namespace shadow::promote {

// Puts the loose objects `ids` (hex, each after what it refers to) from the directory `staging`
// into `objects` below the git directory `git_dir`; both descriptors. What is there already is left
// as it is, no symlink is followed, and everything is on disk when the call returns. Objects that
// nothing refers to do no harm: an interruption loses nothing. Throws SysError.
void add_objects(int git_dir, int staging, const std::vector<std::string>& ids);

}  // namespace shadow::promote
