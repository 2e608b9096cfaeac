// SPDX-License-Identifier: MIT
// The symlinks that the project has already, and its files that name others, so that what they lead
// to can be judged.

#pragma once

#include <string>
#include <vector>

namespace shadow::sensitive {

struct ProjectTree {
  int lower;          // its descriptor
  std::string index;  // git's; empty where there is none
  std::string above;  // as that of SensitivePlaces
};

struct ProjectFinds {
  std::vector<std::string> links;
  std::vector<std::string> leading;       // files that name others: see sensitive_names.hpp
  std::vector<std::string> repositories;  // directories with a `.git`, but for the top
};

// All links that git's index has. Of the others those in `near`, at the top, and in the directories
// that come next from there, as far as kMostDirectories more goes: a review costs what the change
// costs, not what the project costs. Sorted, each once; a path of the index may be none any more.
[[nodiscard]] ProjectFinds links_of_project(const ProjectTree& tree,
                                            const std::vector<std::string>& near);

}  // namespace shadow::sensitive
