// SPDX-License-Identifier: MIT
// Files of the project's that the session has under other names.

#pragma once

#include "session/directory/review_session.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace shadow::bases {

// A file that was moved or linked carries its mark to the new name. In a user namespace the mark
// does not say which one it comes from: that is found by its text.
struct OwnMoves {
  std::map<std::string, std::string> old_names;  // by the new ones
  std::set<std::uint64_t> links;  // inodes of the upper with a name that the project has
  bool may_be_more = false;       // something was moved, and it is not known where to
};

[[nodiscard]] OwnMoves find_own_moves(const session::ReviewSession& session);

}  // namespace shadow::bases
