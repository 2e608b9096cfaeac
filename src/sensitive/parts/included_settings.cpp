// SPDX-License-Identifier: MIT
#include "sensitive/parts/included_settings.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "base/words.hpp"
#include "sensitive/parts/json_keys.hpp"
#include "sensitive/parts/key_lists.hpp"
#include "sensitive/scripts/git_commands.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace shadow::sensitive {

namespace {

constexpr std::size_t kMostIncluded = 1'000;

// A list may be parted by commas. An address is no file.
void add_paths(std::vector<std::string>& all, std::string_view value) {
  while (!value.empty() && all.size() < kMostIncluded) {
    const std::size_t end = std::min(value.find(','), value.size());
    const std::string_view one = trimmed(value.substr(0, end));
    if (!one.empty() && one.find("://") == std::string_view::npos) {
      all.emplace_back(one);
    }
    value.remove_prefix(std::min(end + 1, value.size()));
  }
}

// The value in quotes behind a name and a sign: x="y", x: 'y'. Calls `each` with it.
template <class Each>
void for_each_value(std::string_view text, std::string_view name, std::string_view signs,
                    const Each& each) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    constexpr std::string_view kQuotes = "\"'`";
    const std::size_t sign = text.find_first_not_of(" \t\r\n\"'", at + name.size());
    if (sign == std::string_view::npos || signs.find(text[sign]) == std::string_view::npos) {
      continue;
    }
    const std::size_t open = text.find_first_not_of(" \t\r\n", sign + 1);
    if (open == std::string_view::npos || kQuotes.find(text[open]) == std::string_view::npos) {
      continue;
    }
    const std::size_t close = text.find(text[open], open + 1);
    if (close != std::string_view::npos) {
      each(text.substr(open + 1, close - open - 1));
    }
  }
}

// What stands between <name> and the next tag.
void add_elements(std::vector<std::string>& all, std::string_view text, std::string_view name) {
  const std::string open = "<" + std::string{name};
  for (std::size_t at = text.find(open); at != std::string_view::npos;
       at = text.find(open, at + 1)) {
    const std::size_t begin = text.find('>', at);
    if (begin == std::string_view::npos) {
      return;
    }
    add_paths(all, text.substr(begin + 1, text.find('<', begin) - begin - 1));
  }
}

}  // namespace

std::vector<std::string> includes_of_xml(std::string_view text) {
  constexpr std::string_view kPlaces = "installed_paths";  // of further standards
  constexpr std::array<std::string_view, 3> kOfPaths = {"/", ".xml", ".php"};
  std::vector<std::string> all;
  for (const std::string_view name : {"href", "ref"}) {
    for_each_value(text, name, "=", [&all, &kOfPaths](std::string_view value) {
      if (has_part(value, kOfPaths)) {  // else it is the name of a standard, or a sniff
        add_paths(all, value);
      }
    });
  }
  for (std::size_t at = text.find(kPlaces); at != std::string_view::npos;
       at = text.find(kPlaces, at + 1)) {
    const std::size_t begin =
        text.rfind('<', at) == std::string_view::npos ? 0 : text.rfind('<', at);
    for_each_value(text.substr(begin, text.find('>', at) - begin), "value", "=",
                   [&all](std::string_view value) { add_paths(all, value); });
  }
  for (const std::string_view name : {"autoload", "bootstrap"}) {
    add_elements(all, text, name);
  }
  return all;
}

std::vector<std::string> imports_of_cspell(std::string_view text) {
  constexpr std::array<std::string_view, 1> kImport = {"import"};
  constexpr std::array<std::string_view, 6> kEndings = {".json", ".jsonc", ".json5",
                                                        ".yaml", ".yml",   ".toml"};
  std::vector<std::string> all;
  for (std::string& word : words_of_command(lists_of_keys(text, kImport, Backslashes::OfKeys))) {
    if (all.size() < kMostIncluded && has_end(lower_ascii(word), kEndings)) {
      all.push_back(std::move(word));
    }
  }
  return all;
}

std::vector<std::string> bases_of_nx(std::string_view text) {
  const auto bases = texts_of_json(text, "/extends");
  return bases ? *bases : words_of_command(text);
}

std::vector<std::string> presets_of_jest(std::string_view text) {
  std::vector<std::string> all;
  for_each_value(text, "preset", ":=", [&all](std::string_view value) {
    constexpr std::string_view kRoot = "<rootDir>/";
    value.remove_prefix(value.starts_with(kRoot) ? kRoot.size() : 0);
    for (const std::string_view file :
         {"", "/jest-preset.js", "/jest-preset.json", "/jest-preset.cjs", "/jest-preset.mjs",
          "/jest-preset.ts"}) {
      if (value.starts_with('.') || value.find('/') != std::string_view::npos) {
        all.push_back(std::string{value} + std::string{file});
      }
    }
  });
  return all;
}

std::vector<std::string> imports_of_cabal(std::string_view text) {
  constexpr std::string_view kImport = "import:";
  std::vector<std::string> all;
  for (const std::string& line : split(text, '\n')) {
    const std::string_view plain = trimmed(line);
    if (lower_ascii(plain.substr(0, kImport.size())) == kImport) {
      add_paths(all, plain.substr(kImport.size()));
    }
  }
  return all;
}

std::vector<std::string> includes_of_dune(std::string_view text) {
  constexpr std::string_view kInclude = "include";
  std::vector<std::string> all;
  for (std::size_t at = text.find(kInclude); at != std::string_view::npos;
       at = text.find(kInclude, at + 1)) {
    std::string_view rest = text.substr(at + kInclude.size());
    const std::size_t begin = rest.find_first_not_of(" \t\r\n\"");
    if (begin == 0 || begin == std::string_view::npos) {
      continue;  // "include_subdirs"
    }
    rest.remove_prefix(begin);
    add_paths(all, rest.substr(0, rest.find_first_of(" \t\r\n\")")));
  }
  return all;
}

}  // namespace shadow::sensitive
