// SPDX-License-Identifier: MIT
#include "sensitive/parts/json_scan.hpp"

#include <algorithm>
#include <cstddef>

namespace shadow::sensitive {

namespace {

// Where a value ends that begins here: brackets outside of strings are closed again.
std::size_t end_of_json_value(std::string_view text, std::size_t begin) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t at = begin; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      at += c == '\\' ? 1 : 0;
      in_string = c != '"';
      continue;
    }
    in_string = c == '"';
    depth += c == '{' || c == '[' ? 1 : 0;
    depth -= c == '}' || c == ']' ? 1 : 0;
    if (depth < 0 || (depth == 0 && c == ',')) {
      return at;
    }
    if (depth == 0 && (c == '}' || c == ']')) {
      return at + 1;
    }
  }
  return text.size();
}

}  // namespace

std::string values_of_keys(std::string_view text, std::span<const std::string_view> keys) {
  std::string found;
  for (const std::string_view key : keys) {
    const std::string quoted = '"' + std::string{key} + '"';
    for (std::size_t at = text.find(quoted); at != std::string_view::npos;
         at = text.find(quoted, at)) {
      at += quoted.size();
      const std::size_t colon = text.find_first_not_of(" \t\r\n", at);
      if (colon != std::string_view::npos && text[colon] == ':') {
        const std::size_t end = end_of_json_value(text, colon + 1);
        found.append(text.substr(colon + 1, end - colon - 1)).push_back('\n');
        at = end;
      }
    }
  }
  return found;
}

}  // namespace shadow::sensitive
