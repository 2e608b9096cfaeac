// SPDX-License-Identifier: MIT
#include "changes/rights/attributes.hpp"

#include "bases/capture/base_attributes.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/acls.hpp"
#include "store/tables/base_attributes.hpp"
#include "sys/files/beneath.hpp"
#include "sys/namespaces/acl.hpp"

#include <utility>

#include <fcntl.h>

namespace shadow::changes {

using promote::Changed;

namespace {

bool is_file(const sys::Fd& fd) {
  return fd && overlay::look_fd(fd.get()).kind == EntryKind::File;
}

// Of two kinds of attributes, as of one.
Changed both(Changed one, Changed other) {
  const auto agree = [](Changed facet) {
    return facet == Changed::Neither || facet == Changed::Alike;
  };
  return agree(one) ? other : agree(other) || one == other ? one : Changed::Apart;
}

}  // namespace

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

Xattrs projects_attributes(const session::ReviewSession& session, const std::string& path) {
  const sys::Fd real = sys::try_open_beneath(session.lower.get(), path, O_PATH);
  return real ? arriving_attributes(real.get(), -1) : Xattrs{};
}

Changed attributes_by(const session::ReviewSession& session, const std::string& path,
                      const Base* base) {
  const bool tells = base != nullptr && base->source() == BaseSource::Ledger;
  const auto known =
      tells ? store::find_base_attributes(*session.db, session.row.id, path, base->entry())
            : std::nullopt;
  const sys::Fd mine = sys::try_open_beneath(session.upper.get(), path, O_PATH);
  const sys::Fd real = sys::try_open_beneath(session.lower.get(), path, O_PATH);
  if (!known || !is_file(mine) || !is_file(real)) {
    return Changed::Apart;
  }
  const overlay::Acls acls = overlay::acls_of(real.get());
  const auto project = bases::form_of(overlay::user_xattrs(real.get()), acls);
  const auto own =
      bases::form_of(overlay::user_xattrs(mine.get()), overlay::acls_after(mine.get(), acls));
  return both(promote::changed_by(known->of_user, project.of_user, own.of_user),
              promote::changed_by(known->acls, project.acls, own.acls));
}

}  // namespace shadow::changes
