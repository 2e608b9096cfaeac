// SPDX-License-Identifier: MIT
#include "sensitive/names/script_names.hpp"

#include "base/words.hpp"
#include "sensitive/scripts/git_commands.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace shadow::sensitive {

namespace {

constexpr std::size_t kMostPackages = 2000;

constexpr std::array<std::string_view, 48> kProgramEndings = {
    ".zig", ".sh",  ".bash",  ".zsh",    ".fish", ".nu",     ".py",  ".js",  ".mjs", ".cjs",
    ".ts",  ".mts", ".cts",   ".rb",     ".pl",   ".php",    ".lua", ".vim", ".awk", ".el",
    ".clj", ".r",   ".envrc", ".R",      ".kts",  ".gradle", ".nix", ".exs", ".so",  ".dll",
    ".jar", ".tsx", ".dylib", ".hxml",   ".jsx",  ".node",   ".inc", ".ksh", ".csh", ".tcsh",
    ".tcl", ".ps1", ".jl",    ".groovy", ".bats", ".sed",    ".mk",  ".pm"};
constexpr std::array<std::string_view, 6> kJavascript = {".js", ".mjs", ".cjs",
                                                         ".ts", ".mts", ".cts"};
constexpr std::array<std::string_view, 9> kSettingsEndings = {
    ".json", ".jsonc", ".json5", ".yml", ".yaml", ".toml", ".ini", ".cfg", ".neon"};

}  // namespace

bool has_ending_of_program(std::string_view name) {
  return has_end(name, kProgramEndings);
}

std::set<std::string> packages_in(std::string_view text) {
  std::set<std::string> names;
  for (const std::string& word : words_of_command(text)) {
    const bool scoped = word.starts_with('@');
    const std::size_t slash = std::min(word.find('/'), word.size());
    const std::size_t end = scoped ? std::min(word.find('/', slash + 1), word.size()) : slash;
    const std::string scope = scoped ? word.substr(0, slash) + "/" : "";
    const std::string name = word.substr(scope.size() < end ? scope.size() : end);
    const std::string first = name.substr(0, std::min(name.find('/'), name.size()));
    for (const std::string_view kind : {"", "eslint-config", "eslint-plugin"}) {
      std::string package = scope + std::string{kind};
      package += first.empty() || kind.empty() ? first : "-" + first;
      if (names.size() < kMostPackages && !package.ends_with('/') && !package.starts_with('.')) {
        names.insert(std::move(package));
      }
    }
  }
  return names;
}

bool is_name_of_program(std::string_view name) {
  const std::string_view base = sys::split_path(name).name;
  return base.find('.', 1) == std::string_view::npos || has_end(base, kProgramEndings);
}

bool is_name_of_variables(std::string_view name) {
  const std::string_view base = sys::split_path(name).name;
  return base.ends_with(".env") || base.starts_with(".env.") || base == ".flaskenv";
}

bool is_name_of_settings(std::string_view name) {
  return has_end(name, kSettingsEndings);
}

bool is_javascript(std::string_view name) {
  return has_end(name, kJavascript);
}

}  // namespace shadow::sensitive
