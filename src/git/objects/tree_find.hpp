// SPDX-License-Identifier: MIT
// Entries of a commit's whole tree, by their names.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::git {

struct TreeFind {
  std::string path;
  unsigned mode = 0;   // as in tree_entry.hpp
  std::string target;  // of a symlink
};

// All that is `wanted` by its name and mode, sorted by path; nothing where the tree cannot be read.
// `commit` is an id in hexadecimal digits. In a process of its own.
using WantedEntry = std::function<bool(std::string_view name, unsigned mode)>;
[[nodiscard]] std::vector<TreeFind> find_in_commit(const std::string& objects_dir,
                                                   const std::string& commit,
                                                   const WantedEntry& wanted);

}  // namespace shadow::git
