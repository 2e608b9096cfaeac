// SPDX-License-Identifier: MIT
#include "cli/json.hpp"

#include <fmt/format.h>

#include <utility>

namespace shadow::cli {

void set_bytes(Json& record, const std::string& key, std::string_view bytes) {
  std::string text = as_utf8(bytes);
  const bool same = text == bytes;
  record[key] = std::move(text);
  if (!same) {
    std::string hex;
    for (const char c : bytes) {
      hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
    }
    record[key + "_hex"] = std::move(hex);
  }
}

std::string to_line(const Json& record) {
  return record.dump() + "\n";
}

}  // namespace shadow::cli
