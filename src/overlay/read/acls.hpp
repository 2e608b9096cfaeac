// SPDX-License-Identifier: MIT
// Whose ACLs an entry gets when the session's version of it comes to the project.

#pragma once

#include <optional>
#include <string>

namespace shadow::overlay {

struct Acls {
  std::optional<std::string> access;
  std::optional<std::string> inherited;  // what new entries in a directory get (the default ACL)
};

[[nodiscard]] Acls acls_of(int fd);

// What the session makes of `real`, an entry's own ACLs, with those of its entry `upper` (of the
// same kind). An entry that was copied up has the real one's, by the kernel: what differs was
// changed. One that was made anew in the view (as by an editor, sed -i or a checkout) and has none
// lost them for want of the ids: then they stay as they are.
[[nodiscard]] Acls acls_after(int upper, Acls real);

// Whether that is a change. What the mode tells of an ACL does not count.
[[nodiscard]] bool differ(const Acls& a, const Acls& b);

}  // namespace shadow::overlay
