// SPDX-License-Identifier: MIT
// The committer: user.name and user.email, as git finds them.

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace shadow::git {

// "Name <address>" from GIT_COMMITTER_NAME and GIT_COMMITTER_EMAIL, else from these configuration
// files, the last of which counts most; files that are not there count nothing. nullopt when name
// or address is nowhere.
[[nodiscard]] std::optional<std::string> configured_identity(const std::vector<std::string>& files);

}  // namespace shadow::git
