// SPDX-License-Identifier: MIT
// Hard links among the entries of an upper.

#pragma once

#include "shadow/change.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace shadow::overlay {

enum class LinkedPath : std::uint8_t {
  Changed,  // it is in the change set
  Same      // it was copied up, and equals the real file
};

class HardLinks {
 public:
  // Takes note of a file of the upper; those with one name only are forgotten at once.
  void note(const std::string& path, const Entry& entry, LinkedPath how);

  // Fills Change::link_to: the first path of each group that equals the real tree, else the one
  // that sorts first.
  void resolve(ChangeSet& set) const;

 private:
  struct Member {
    std::string path;
    LinkedPath how;
  };
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Member>> groups_;
};

}  // namespace shadow::overlay
