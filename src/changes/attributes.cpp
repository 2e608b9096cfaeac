// SPDX-License-Identifier: MIT
#include "changes/attributes.hpp"

#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/acls.hpp"
#include "sys/files/beneath.hpp"
#include "sys/namespaces/acl.hpp"

#include <utility>

#include <fcntl.h>

namespace shadow::changes {

Xattrs arriving_attributes(int mine, int real) {
  Xattrs attributes;
  const overlay::Acls acls =
      overlay::acls_after(mine, real < 0 ? overlay::Acls{} : overlay::acls_of(real));
  if (acls.access) {
    attributes.emplace(sys::kAccessAcl, *acls.access);
  }
  if (acls.inherited) {
    attributes.emplace(sys::kDefaultAcl, *acls.inherited);
  }
  for (auto& [name, value] : overlay::user_xattrs(mine)) {
    // Attributes that a run wrote in overlayfs' own name are not for the project.
    if (!name.starts_with(overlay::kOwnAttributes)) {
      attributes.emplace(std::move(name), std::move(value));
    }
  }
  return attributes;
}

Xattrs attributes_after(const session::ReviewSession& session, const std::string& path,
                        EntryKind before) {
  const sys::Fd mine = sys::try_open_beneath(session.upper.get(), path, O_PATH);
  const sys::Fd real = mine && before == overlay::look_fd(mine.get()).kind
                           ? sys::try_open_beneath(session.lower.get(), path, O_PATH)
                           : sys::Fd{};
  return mine ? arriving_attributes(mine.get(), real ? real.get() : -1) : Xattrs{};
}

}  // namespace shadow::changes
