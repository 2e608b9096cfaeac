// SPDX-License-Identifier: MIT
// Taking the base tree, in a process of its own: what the project's files are now, of those that
// are as old as the session. Reads the real tree and the real git directory, never what a run
// wrote.

#pragma once

#include "bases/tree/base_tree.hpp"
#include "store/contents/blobs.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace shadow::bases {

// Contents are kept within these; all else of the walk is within a number of names.
struct BaseTreeLimits {
  std::uint64_t bytes_of_a_file = std::uint64_t{8} << 20U;
  std::uint64_t bytes = std::uint64_t{64} << 20U;
  std::uint64_t files = 5'000;
  std::uint64_t names = 1'000'000;
  std::uint64_t bare_names = 100'000;  // of them, without content: what git ignores
};

// Takes the tree of a project. In a git project the tracked files that git knows to be unchanged
// are named by their objects' ids, the others by their content, but for those that it ignores by
// name alone; in other projects all by their content. A file that changed later than the base time,
// or lies where a directory did, is unknown, unless git's objects were looked up before: that comes
// first and reads no files. In a git project the names in the directories of tracked files are
// listed then, too: what comes into these later was not there. `before_reading` is called next.
[[nodiscard]] BaseTree take_base_tree(const std::string& project, std::int64_t base_time_ns,
                                      store::Blobs& blobs, const BaseTreeLimits& limits = {},
                                      const std::function<void()>& before_reading = {});

}  // namespace shadow::bases
