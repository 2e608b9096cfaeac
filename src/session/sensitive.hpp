// SPDX-License-Identifier: MIT
// Changes that do more than change the project: files that tools run or obey by themselves, and
// entries that reach out of the tree.

#pragma once

#include "shadow/change.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

// Gives the beginning of the view's text at a path; nullopt when there is none.
using ReadView = std::function<std::optional<std::string>(const std::string& path)>;

// Why a person should look twice at this change, as the end of "sensitive: ..."; empty when there
// is no reason. `root` is the project's path; `patterns` are the user's own: one without a slash is
// matched with the last component, one with a slash with the whole path.
[[nodiscard]] std::string sensitive_reason(const Change& change, const std::string& root,
                                           const std::vector<std::string>& patterns,
                                           const ReadView& read);

}  // namespace shadow
