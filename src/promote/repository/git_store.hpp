// SPDX-License-Identifier: MIT
// Objects into a repository's store, as loose ones and packs. Not by libgit2: the objects were
// checked as files and arrive as these files, through no symlink.

#pragma once

#include <string>
#include <vector>

namespace shadow::promote {

// Puts objects from the directory `staging`, which has the form of a store, into `objects` below
// the git directory `git_dir`; both descriptors. A name is an id in hex digits, after those that it
// refers to, or that of a pack, "pack-" and 40 hex digits. What is there already is left as it is,
// no symlink is followed, and everything is on disk when the call returns. Objects that nothing
// refers to do no harm: an interruption loses nothing. Throws SysError.
void add_objects(int git_dir, int staging, const std::vector<std::string>& names);

}  // namespace shadow::promote
