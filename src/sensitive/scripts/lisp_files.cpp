// SPDX-License-Identifier: MIT
#include "sensitive/scripts/lisp_files.hpp"

#include "base/words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace shadow::sensitive {

namespace {

// Symbols and strings, without the quotes.
std::vector<std::string> words_of_lisp(std::string_view line) {
  constexpr std::string_view kBetween = " \t\r\n()'`,\"";
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == '"') {
      const std::size_t close = std::min(line.find('"', at + 1), line.size());
      words.emplace_back(line.substr(at + 1, close - at - 1));
      at = close + 1;
      continue;
    }
    const std::size_t end = std::min(line.find_first_of(kBetween, at), line.size());
    if (end > at) {
      words.emplace_back(line.substr(at, end - at));
    }
    at = std::max(end, at + (end == at ? 1U : 0U));
  }
  return words;
}

}  // namespace

LispFiles files_loaded_by(std::string_view line) {
  constexpr std::array<std::string_view, 6> kCalls = {"(load ",    "(load-file ", "(load-library ",
                                                      "(require ", "(autoload ",  "(load-theme "};
  constexpr std::array<std::string_view, 4> kEndings = {".el", ".elc", "-theme.el", ""};
  LispFiles found;
  const bool loads = has_part(line, kCalls);
  const bool searches = line.find("load-path") != std::string_view::npos;
  if (!loads && !searches) {
    return found;
  }
  for (std::string& word : words_of_lisp(line)) {
    if (loads) {
      for (const std::string_view ending : kEndings) {
        found.files.push_back(word + std::string{ending});
      }
    }
    if (searches) {
      found.directories.push_back(std::move(word));
    }
  }
  return found;
}

}  // namespace shadow::sensitive
