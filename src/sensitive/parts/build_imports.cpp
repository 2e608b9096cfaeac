// SPDX-License-Identifier: MIT
#include "sensitive/parts/build_imports.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <cstddef>

namespace shadow::sensitive {

namespace {

// Behind a variable, also several: "x" of "$(Root)$(Sub)\x" and "${rootDir}/x".
std::string behind_build_variables(std::string_view path) {
  constexpr std::string_view kOfVariableName =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  while (path.starts_with('$')) {
    const bool open = path.size() > 1 && (path[1] == '(' || path[1] == '{');
    const std::size_t end =
        open ? path.find_first_of(")}") : path.find_first_not_of(kOfVariableName, 1);
    path.remove_prefix(
        std::min(end == std::string_view::npos ? end : end + (open ? 1U : 0U), path.size()));
  }
  std::string plain{path};
  std::replace(plain.begin(), plain.end(), '\\', '/');
  plain.erase(0, std::min(plain.find_first_not_of('/'), plain.size()));
  return plain;
}

// The text in quotes that begins behind `at`, if nothing but blanks and the sign stands before.
std::string_view quoted_behind(std::string_view text, std::size_t at, char sign) {
  std::size_t open = text.find_first_not_of(" \t\r\n", at);
  if (open == std::string_view::npos || text[open] != sign) {
    return {};
  }
  open = text.find_first_not_of(" \t\r\n", open + 1);
  if (open == std::string_view::npos || (text[open] != '"' && text[open] != '\'')) {
    return {};
  }
  const std::size_t close = text.find(text[open], open + 1);
  return close == std::string_view::npos ? std::string_view{}
                                         : text.substr(open + 1, close - open - 1);
}

void add_import(std::vector<std::string>& all, std::string_view path) {
  std::string plain = behind_build_variables(path);
  const std::size_t star = plain.find_first_of("*?");
  if (star != std::string::npos) {
    const std::size_t slash = plain.rfind('/', star);
    plain.erase(slash == std::string::npos ? 0 : slash);  // all of the directory
  }
  if (!plain.empty() && plain.find('$') == std::string::npos) {
    all.push_back(std::move(plain));
  }
}

}  // namespace

std::vector<std::string> imports_of_msbuild(std::string_view text) {
  constexpr std::string_view kElement = "<import";
  constexpr std::string_view kAttribute = "project";
  const std::string small = lower_ascii(text);
  std::vector<std::string> all;
  for (std::size_t at = small.find(kElement); at != std::string::npos;
       at = small.find(kElement, at + 1)) {
    const std::size_t end = std::min(small.find('>', at), small.size());
    for (std::size_t key = small.find(kAttribute, at); key < end;
         key = small.find(kAttribute, key + 1)) {
      add_import(all, quoted_behind(text.substr(0, end), key + kAttribute.size(), '='));
    }
  }
  return all;
}

std::vector<std::string> scripts_of_gradle(std::string_view text) {
  constexpr std::string_view kCall = "apply";
  constexpr std::string_view kKey = "from";
  std::vector<std::string> all;
  for (std::size_t at = text.find(kCall); at != std::string_view::npos;
       at = text.find(kCall, at + 1)) {
    const std::size_t key = text.find_first_not_of(" \t(", at + kCall.size());
    if (key != std::string_view::npos && text.substr(key).starts_with(kKey)) {
      for (const char sign : {':', '='}) {
        add_import(all, quoted_behind(text, key + kKey.size(), sign));
      }
    }
  }
  return all;
}

}  // namespace shadow::sensitive
