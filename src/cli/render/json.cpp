// SPDX-License-Identifier: MIT
#include "cli/render/json.hpp"

#include "base/text.hpp"

namespace shadow::cli {

namespace {

constexpr auto kReplace = Json::error_handler_t::replace;

}  // namespace

void set_bytes(Json& record, const std::string& key, std::string_view bytes) {
  const std::string dumped = Json(std::string{bytes}).dump(-1, ' ', false, kReplace);
  const auto text = Json::parse(dumped).get<std::string>();
  record[key] = text;
  if (text != bytes) {
    record[key + "_hex"] = hex_of(bytes);
  }
}

std::string to_line(const Json& record) {
  return record.dump(-1, ' ', false, kReplace) + "\n";
}

}  // namespace shadow::cli
