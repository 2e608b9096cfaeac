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

void JsonText::key(std::string_view key) {
  text_ += text_.size() == 1 ? "" : ",";
  text_ += Json(key).dump(-1, ' ', false, kReplace) + ':';
}

void JsonText::set(std::string_view key, const Json& value) {
  this->key(key);
  text_ += value.dump(-1, ' ', false, kReplace);
}

void JsonText::set_bytes(const std::string& key, std::string_view bytes) {
  Json record;
  cli::set_bytes(record, key, bytes);
  for (const auto& [name, value] : record.items()) {
    set(name, value);
  }
}

void JsonText::begin_list(std::string_view key) {
  this->key(key);
  text_ += '[';
}

void JsonText::add(const Json& item) {
  text_ += text_.back() == '[' ? "" : ",";
  text_ += item.dump(-1, ' ', false, kReplace);
}

std::string to_line(const Json& record) {
  return record.dump(-1, ' ', false, kReplace) + "\n";
}

}  // namespace shadow::cli
