// SPDX-License-Identifier: MIT
// The ACLs of an entry when the session's version is applied to the project.

#pragma once

#include <optional>
#include <string>

namespace shadow::overlay {

struct Acls {
  std::optional<std::string> access;
  std::optional<std::string> inherited;  // what new entries in a directory get (the default ACL)
};

[[nodiscard]] Acls acls_of(int fd);

// The session's ACLs for an entry whose real ACLs are `real` and whose upper entry (of the same
// kind) has `upper`. The kernel copies the real ACLs up, so a difference in a copied-up entry is a
// change. An entry that was created anew in the view (by an editor, sed -i or a checkout) and has
// no ACLs could not set them for lack of the ids: the real ones stay.
[[nodiscard]] Acls acls_after(int upper, Acls real);

// True if the two differ. The part of an ACL that the mode expresses does not count.
[[nodiscard]] bool differ(const Acls& a, const Acls& b);

}  // namespace shadow::overlay
