// SPDX-License-Identifier: MIT
#include "sensitive/names/embedded_settings.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace shadow::sensitive {

namespace {

// gitattributes(5), and what hosts of repositories read.
constexpr std::array<std::string_view, 13> kProperties = {"text",
                                                          "eol",
                                                          "crlf",
                                                          "binary",
                                                          "whitespace",
                                                          "ident",
                                                          "delta",
                                                          "encoding",
                                                          "diff",
                                                          "merge",
                                                          "working-tree-encoding",
                                                          "export-ignore",
                                                          "export-subst"};
constexpr std::array<std::string_view, 3> kProperty = {"linguist-", "gitlab-",
                                                       "conflict-marker-size"};

bool is_property(std::string_view attribute) {
  if (attribute.starts_with('-') || attribute.starts_with('!')) {
    attribute.remove_prefix(1);
  }
  const std::size_t equals = std::min(attribute.find('='), attribute.size());
  const std::string_view name = attribute.substr(0, equals);
  const bool driver = (name == "diff" || name == "merge") && equals < attribute.size();
  return !driver && (std::find(kProperties.begin(), kProperties.end(), name) != kProperties.end() ||
                     std::any_of(kProperty.begin(), kProperty.end(),
                                 [name](std::string_view one) { return name.starts_with(one); }));
}

// The attributes of a line are behind its pattern. One in quotes with a blank in it counts as more.
bool line_names_programs(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r\v\f";
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  if (line.empty() || line.starts_with('#')) {
    return false;
  }
  bool first = true;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    if (line.empty()) {
      return false;
    }
    const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
    if (!first && !is_property(line.substr(0, end))) {
      return true;
    }
    first = false;
    line.remove_prefix(end);
  }
}

bool has_any(std::string_view text, const std::vector<std::string_view>& words) {
  return std::any_of(words.begin(), words.end(), [text](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

// TOML and configparser's INI, by lines: tables and sections of these tools, and behind a key of
// theirs all up to the next table. A key may be written with escapes.
std::string tables_of_tools(std::string_view text) {
  const std::vector<std::string_view> tables = {"mypy", "pylint", "flake8", "tool.uv", "\\u"};
  const std::vector<std::string_view> keys = {"plugin",  "init-hook", "init_hook", "mypy.",
                                              "pylint.", "flake8.",   "uv.",       "\\u"};
  std::string parts;
  bool inside = false;
  for (const std::string& whole : split(text, '\n')) {
    const std::string line = lower_ascii(whole);
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin != std::string::npos && line[begin] == '[' && line.find('=') == std::string::npos &&
        line.find(']') != std::string::npos) {
      std::string header = line;
      header.erase(std::remove_if(header.begin(), header.end(),
                                  [](char c) { return c == ' ' || c == '"' || c == '\''; }),
                   header.end());
      inside = has_any(header, tables);
    } else {
      inside = inside || has_any(line, keys);
    }
    if (inside && begin != std::string::npos && line[begin] != '#') {
      parts += whole + "\n";
    }
  }
  return parts;
}

constexpr std::array<const char*, 19> kPackageKeys = {
    "prettier",      "eslintConfig",     "stylelint",   "xo",       "commitlint", "remarkConfig",
    "husky",         "lint-staged",      "nano-staged", "pre-push", "pre-commit", "gitHooks",
    "ghooks",        "simple-git-hooks", "lefthook",    "volta",    "devEngines", "standard",
    "packageManager"};

// Keys of package.json that a linter, a formatter, a manager of git hooks or any call of a package
// manager obeys; "scripts" run on purpose. What this parser refuses another may take.
std::string keys_of_package(std::string_view text) {
  constexpr int kDeepest = 64;
  bool deep = false;
  const auto json = nlohmann::json::parse(
      text,
      [&deep](int depth, nlohmann::json::parse_event_t, const nlohmann::json&) {
        deep = deep || depth > kDeepest;
        return depth <= kDeepest;
      },
      false);
  if (json.is_discarded() || deep || !json.is_object()) {
    const bool speaks =
        text.find("\\u") != std::string_view::npos ||
        std::any_of(kPackageKeys.begin(), kPackageKeys.end(),
                    [text](const char* key) { return text.find(key) != std::string_view::npos; });
    return speaks ? std::string{text} : "";
  }
  std::string parts;
  for (const char* key : kPackageKeys) {
    if (const auto found = json.find(key); found != json.end()) {
      parts += std::string{key} + ": " +
               found->dump(0, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    }
  }
  return parts;
}

}  // namespace

bool names_programs(std::string_view attributes) {
  if (attributes.find('\0') != std::string_view::npos) {
    return true;
  }
  const std::vector<std::string> lines = split(attributes, '\n');
  return std::any_of(lines.begin(), lines.end(),
                     [](const std::string& line) { return line_names_programs(line); });
}

std::string tool_settings_in(std::string_view name, std::string_view text) {
  return name == "package.json" ? keys_of_package(text) : tables_of_tools(text);
}

}  // namespace shadow::sensitive
