// SPDX-License-Identifier: MIT
// The named classes of a set, "[[:alpha:]]", over ASCII whatever the locale.

#pragma once

#include <bitset>
#include <optional>
#include <string_view>

namespace shadow::git {

// The members of "alpha", "digit", ...; nullopt for an unknown name.
[[nodiscard]] std::optional<std::bitset<256>> byte_class(std::string_view name);

}  // namespace shadow::git
