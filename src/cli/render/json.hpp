// SPDX-License-Identifier: MIT
// JSON for programs. The top level is a record, the items of lists are records, so that both can
// grow; readers ignore keys they do not know.

#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace shadow::cli {

using Json = nlohmann::ordered_json;

// Sets `key` to raw bytes: text when they are UTF-8; else the text with U+FFFD for what is not, and
// KEY_hex with the bytes in hexadecimal.
void set_bytes(Json& record, const std::string& key, std::string_view bytes);

// One line with its newline.
[[nodiscard]] std::string to_line(const Json& record);

}  // namespace shadow::cli
