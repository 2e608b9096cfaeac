// SPDX-License-Identifier: MIT
// The attributes that an apply would give a path.

#pragma once

#include "shadow/entry.hpp"

#include "session/directory/review_session.hpp"

#include <string>

namespace shadow::changes {

// user.* attributes and ACLs of the session's entry `mine` as they come to the project, where it
// takes the place of `real` (-1: of nothing of its kind): see overlay/read/acls.
[[nodiscard]] Xattrs arriving_attributes(int mine, int real);

// The same by the path; none where the session has nothing there by now. Not for symlinks.
[[nodiscard]] Xattrs attributes_after(const session::ReviewSession& session,
                                      const std::string& path, EntryKind before);

}  // namespace shadow::changes
