// SPDX-License-Identifier: MIT
// The extended attributes and ACLs of a file, in the form in which a base has them.

#pragma once

#include "shadow/entry.hpp"

#include "overlay/format/format.hpp"
#include "overlay/read/acls.hpp"
#include "store/tables/base_attributes.hpp"

#include <optional>
#include <string>

namespace shadow::bases {

[[nodiscard]] store::BaseAttributes form_of(const overlay::Xattrs& user, const overlay::Acls& acls);

// Those of the project's file. nullopt where it is no file, or not that entry, or so young that
// another change of it might not show in its times.
[[nodiscard]] std::optional<store::BaseAttributes> attributes_of_real(int lower,
                                                                      const std::string& path,
                                                                      const Entry& real);

}  // namespace shadow::bases
