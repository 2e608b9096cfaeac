// SPDX-License-Identifier: MIT
// The entry at a path after an apply, as a digest that tells the entry that was shown from any
// other.

#pragma once

#include "shadow/entry.hpp"

#include "base/digest.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace shadow::overlay {

// Over type, permission bits, user.* attributes and ACLs, and the content of a file or the target
// of a link. `content` is nullopt where no content is written: to what is no file, or because only
// the attributes of a file change. Setuid and setgid bits, which never arrive, do not count.
[[nodiscard]] Digest arrival(const Entry& entry, const std::optional<Digest>& content,
                             const shadow::Xattrs& attributes);
[[nodiscard]] Digest arrival(const Entry& entry, std::string_view bytes,
                             const shadow::Xattrs& attributes);

// The digest of an open regular file, from its start, whatever the offset; nullopt when it is
// longer than `limit` (a sparse file may claim any length). Throws SysError.
[[nodiscard]] std::optional<Digest> digest_file(int fd, std::uint64_t limit);

}  // namespace shadow::overlay
