// SPDX-License-Identifier: MIT
// Directories of the session that count for what is in them alone.

#pragma once

#include "shadow/base.hpp"
#include "shadow/review.hpp"

#include <set>
#include <string>
#include <vector>

namespace shadow::changes {

// True if something of the session's is below the directory. The items are sorted by path.
[[nodiscard]] bool has_change_below(const std::vector<ReviewItem>& items,
                                    const std::string& directory);

// True if the upper's directory holds only traces of the project's: deleted names, and directories
// that were copied up for them.
[[nodiscard]] bool holds_traces_alone(int upper, const std::string& directory);

// True if the upper's directory has nothing in it, and may have been made after the base: one that
// is older was there beside it, as after an apply of the session's own.
[[nodiscard]] bool is_empty_and_later(int upper, const std::string& directory, const Base& base);

// Takes for no change those that the project deleted, and in which the session has nothing of its
// own by now but what waits to be taken out. `ways` has the paths of those that may be meant.
void leave_ways_to_nothing(const std::set<std::string>& ways, ReviewSet& set);

// Leaves out the deletions of directories that hold something which the project has got since: that
// alone is in them then, and stays.
void leave_filled_again(ReviewSet& set);

}  // namespace shadow::changes
