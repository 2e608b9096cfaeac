// SPDX-License-Identifier: MIT
#include "cli/json_read.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace shadow::cli {
namespace {

using Read = nlohmann::ordered_json;

Read parse(const std::string& text) {
  return Read::parse(text, nullptr, false);
}

Json converted(const Read& read) {
  switch (read.type()) {
    case Read::value_t::boolean:
      return read.get<bool>();
    case Read::value_t::number_integer:
      return read.get<std::int64_t>();
    case Read::value_t::number_unsigned:
      return read.get<std::uint64_t>();
    case Read::value_t::string:
      return read.get<std::string>();
    case Read::value_t::array: {
      Json list = Json::array();
      for (const Read& item : read) {
        list.push_back(converted(item));
      }
      return list;
    }
    case Read::value_t::object: {
      Json record;
      for (const auto& [key, value] : read.items()) {
        record[key] = converted(value);
      }
      return record;
    }
    default:
      return {};  // shadow writes no fractions
  }
}

}  // namespace

Json read_json(const std::string& text) {
  return converted(parse(text));
}

std::vector<std::string> read_texts(const std::string& text, const char* key) {
  std::vector<std::string> texts;
  const Read read = parse(text);
  if (const auto found = read.find(key); found != read.end() && found->is_array()) {
    for (const Read& item : *found) {
      texts.push_back(item.is_string() ? item.get<std::string>() : "?");
    }
  }
  return texts;
}

}  // namespace shadow::cli
