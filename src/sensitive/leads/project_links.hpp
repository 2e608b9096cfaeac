// SPDX-License-Identifier: MIT
// The symlinks that the project has already, and its files that name others, so that what they lead
// to can be judged.

#pragma once

#include "sensitive/walk/link_walk.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace shadow::sensitive {

struct ProjectTree {
  int lower;                // its descriptor
  const std::string& root;  // its path
  std::string index;        // git's; empty where there is none
  std::string above;        // as that of SensitivePlaces
  const LookAt& look;
};

// A file that names others: see sensitive_names.hpp.
struct LeadingFile {
  std::string path;    // it, or a link to it
  std::string name{};  // by which it counts, where a link leads to its directory; else empty
};

struct ProjectFinds {
  std::vector<std::string> links;
  std::vector<LeadingFile> leading;
  std::vector<std::string> repositories;  // directories with a `.git`, but for the top
  bool all = true;                        // every directory was searched
};

// The more a change may do to a link, the further the search for them goes.
enum class SearchFor : std::uint8_t {
  Names,  // links that lead to what changes
  Shifts  // those whose way a change makes another, too
};

// All links that git's index has. Of the others those in `near`, at the top, and in the directories
// that come next from there, 2000 more of them, or 20 000: a review costs what the change costs,
// not what the project costs. Sorted, each once; a path of the index may be none any more.
[[nodiscard]] ProjectFinds links_of_project(const ProjectTree& tree,
                                            const std::vector<std::string>& near, SearchFor what);

}  // namespace shadow::sensitive
