// SPDX-License-Identifier: MIT
// JSON that shadow wrote itself, read again.

#pragma once

#include "base/json.hpp"

#include <string>
#include <vector>

namespace shadow::cli {

// null where it is none.
[[nodiscard]] Json read_json(const std::string& text);

// The texts of the record's list `key`, "?" for what is none; empty where there is no such list.
[[nodiscard]] std::vector<std::string> read_texts(const std::string& text, const char* key);

}  // namespace shadow::cli
