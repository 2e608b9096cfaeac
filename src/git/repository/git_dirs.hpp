// SPDX-License-Identifier: MIT
// The git directories of a view and of the real tree, whose files are read as data.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace shadow::git {

// Reads the view's .git: a file's text (nullopt when there is no such file), and the names in a
// directory (none when there is no such directory); paths are relative to the git directory. Both
// may throw Error for what cannot be read.
struct GitDirReader {
  std::function<std::optional<std::string>(const std::string& path)> read;
  std::function<std::vector<std::string>(const std::string& path)> list;
};

struct GitDirs {
  GitDirReader view;
  std::string upper_objects;  // absolute path of the upper's .git/objects; may not exist
  std::string real_git_dir;   // absolute path of the real .git directory
};

}  // namespace shadow::git
