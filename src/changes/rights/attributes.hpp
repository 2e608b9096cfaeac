// SPDX-License-Identifier: MIT
// The attributes that an apply would give a path.

#pragma once

#include "shadow/base.hpp"
#include "shadow/entry.hpp"

#include "promote/plan/conflict.hpp"
#include "session/directory/review_session.hpp"

#include <string>

namespace shadow::changes {

// user.* attributes and ACLs of the session's entry `mine` as they come to the project, where it
// takes the place of `real` (-1: of nothing of its kind): see overlay/read/acls.
[[nodiscard]] Xattrs arriving_attributes(int mine, int real);

// The same by the path; none where the session has nothing there by now. Not for symlinks.
[[nodiscard]] Xattrs attributes_after(const session::ReviewSession& session,
                                      const std::string& path, EntryKind before);

// Those of a file as the project has them; none where it has no such file by now.
[[nodiscard]] Xattrs projects_attributes(const session::ReviewSession& session,
                                         const std::string& path);

// The side that changed the attributes of a file, where the two have other ones. Apart: both, or
// nothing tells. They are known of a base that the session's file was there beside: what it had
// from the project when it came there, it had from that. `base` is null where it does not count.
[[nodiscard]] promote::Changed attributes_by(const session::ReviewSession& session,
                                             const std::string& path, const Base* base);

}  // namespace shadow::changes
