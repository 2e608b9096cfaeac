// SPDX-License-Identifier: MIT
// Values in a JSON text of the user's own, by a search for their keys: of up to 16 MiB a few lines
// matter, and nlohmann/json, by which json_keys.hpp reads, would take each value apart. Pure.

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace shadow::sensitive {

// What stands behind each of these keys, wherever it is, in one pass for each and without building
// the tree of the text: for what is too large for keys_of_json().
[[nodiscard]] std::string values_of_keys(std::string_view text,
                                         std::span<const std::string_view> keys);

}  // namespace shadow::sensitive
