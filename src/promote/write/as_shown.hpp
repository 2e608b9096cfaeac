// SPDX-License-Identifier: MIT
// Compares a step with what a review showed of its path.

#pragma once

#include "shadow/apply.hpp"

#include "base/digest.hpp"

#include <functional>
#include <optional>

namespace shadow::promote {

// `attributes` are those that the path is given. `content` gives the digest of what is written to a
// file, nullopt when that is longer than anything that is ever shown; asked where it matters.
// `root` is the project's. Throws SysError.
[[nodiscard]] bool is_as_shown(const Step& step, int root, const Xattrs& attributes,
                               const std::function<std::optional<Digest>()>& content);

// The digest of an open file, for `content`.
[[nodiscard]] std::optional<Digest> shown_digest(int fd);

}  // namespace shadow::promote
