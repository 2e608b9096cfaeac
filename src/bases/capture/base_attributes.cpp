// SPDX-License-Identifier: MIT
#include "bases/capture/base_attributes.hpp"

#include "base/hash.hpp"
#include "base/posix_acl.hpp"
#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/clock.hpp"

#include <utility>

#include <fcntl.h>

namespace shadow::bases {

namespace {

// With its length, so that no two sets of texts are written alike.
void append_text(std::string& all, const std::string& text) {
  all += std::to_string(text.size()) + ' ' + text;
}

std::string hash_of_all(const std::string& all) {
  return all.empty() ? std::string{} : to_hex(hash_bytes(all));
}

}  // namespace

store::BaseAttributes form_of(const overlay::Xattrs& user, const overlay::Acls& acls) {
  std::string texts;
  for (const auto& [name, value] : user) {
    if (!name.starts_with(overlay::kOwnAttributes)) {
      append_text(texts, name);
      append_text(texts, value);
    }
  }
  std::string lists;
  if (acls.access) {
    lists += 'a';
    append_text(lists, acl_with_mode(*acls.access, 0));
  }
  if (acls.inherited) {
    lists += 'i';
    append_text(lists, *acls.inherited);
  }
  return {hash_of_all(texts), hash_of_all(lists)};
}

std::optional<store::BaseAttributes> attributes_of_real(int lower, const std::string& path,
                                                        const Entry& real) {
  if (real.kind != EntryKind::File || real.ctime_ns >= sys::coarse_now_ns()) {
    return std::nullopt;
  }
  const sys::Fd file = sys::try_open_beneath(lower, path, O_PATH);
  if (!file) {
    return std::nullopt;
  }
  overlay::Attributes own = overlay::attributes_of(file.get());
  // After reading: a change in between is seen by its time.
  if (!same_state(real, overlay::look_fd(file.get()))) {
    return std::nullopt;
  }
  return form_of(own.user, {std::move(own.access_acl), std::move(own.default_acl)});
}

}  // namespace shadow::bases
