// SPDX-License-Identifier: MIT
// Copies of what the project has, made in a view.

#pragma once

#include "shadow/entry.hpp"

#include "overlay/write/rewrite.hpp"

#include <map>
#include <string>

namespace shadow::live {

// Makes `name` in `dir` the same as the entry at `path` of a tree, with all that is in it, and
// returns what each path was. Throws StaleError when one changes meanwhile, Error when it cannot be
// copied.
std::map<std::string, Entry> copy_to(int tree, const std::string& path, int dir,
                                     const std::string& name);

// Makes an empty file the same as the one at the path, and returns what that was; as above.
Entry copy_content(int tree, const std::string& path, int to);

// Makes an empty directory with the attributes of the project's at `path`, or with common ones
// where it has none, and returns what that was.
[[nodiscard]] Entry make_directory_like(int lower, const std::string& path, int dir,
                                        const std::string& name);

// Makes that an empty file's content.
void write_content(int to, const overlay::NewContent& content);

// Gives a directory the attributes of another, and takes what it has beyond them. False when it has
// them already.
bool take_attributes(int from, int to);

}  // namespace shadow::live
