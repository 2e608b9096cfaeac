// SPDX-License-Identifier: MIT
#include "overlay/read/acls.hpp"

#include "base/posix_acl.hpp"
#include "overlay/format/format.hpp"
#include "sys/namespaces/acl.hpp"

#include <utility>

namespace shadow::overlay {
namespace {

using Acl = std::optional<std::string>;

bool differ(const Acl& a, const Acl& b) {
  return a && b ? !same_entries(*a, *b) : a.has_value() != b.has_value();
}

}  // namespace

Acls acls_of(int fd) {
  Attributes attributes = attributes_of(fd);
  return {std::move(attributes.access_acl), std::move(attributes.default_acl)};
}

Acls acls_after(int upper, Acls real) {
  Acls mine = acls_of(upper);
  if (has_origin(upper)) {
    return mine;
  }
  return {mine.access ? std::move(mine.access) : std::move(real.access),
          mine.inherited ? std::move(mine.inherited) : std::move(real.inherited)};
}

bool differ(const Acls& a, const Acls& b) {
  return differ(a.access, b.access) || a.inherited != b.inherited;
}

}  // namespace shadow::overlay
