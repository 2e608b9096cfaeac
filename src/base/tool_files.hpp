// SPDX-License-Identifier: MIT
// Files for many uses, a part of which tools obey: see sensitive/names/embedded_settings.hpp.

#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace shadow {

// True for the configuration of a spell checker that editors run, unless it is in JavaScript.
// `name` is the last component of a path, folded.
[[nodiscard]] inline bool is_speller_config(std::string_view name) {
  constexpr std::array<std::string_view, 5> kEndings = {".json", ".jsonc", ".yaml", ".yml",
                                                        ".toml"};
  const std::string_view plain = name.starts_with('.') ? name.substr(1) : name;
  return plain.starts_with("cspell") &&
         std::any_of(kEndings.begin(), kEndings.end(),
                     [plain](std::string_view ending) { return plain.ends_with(ending); });
}

// True for what the configuration of a checker includes: what it leaves out, and maybe code that it
// loads. `name` is folded likewise.
[[nodiscard]] inline bool is_part_of_checker(std::string_view name) {
  const bool yaml = name.ends_with(".yml") || name.ends_with(".yaml");
  return name.ends_with(".neon") ||
         (yaml && (name.starts_with(".rubocop") || name.starts_with("rubocop")));
}

// True for a configuration of TypeScript, by which a language server goes. `name` is folded
// likewise.
[[nodiscard]] inline bool is_script_config(std::string_view name) {
  return name.ends_with(".json") && (name.starts_with("tsconfig") || name.starts_with("jsconfig"));
}

// The alias of a file with a map of names by which what runs is found: no file is called so.
inline constexpr std::string_view kPackageMap = "map of a package";

// True for a file of which a part may set what programs run or load. `name` is the last component
// of a path, folded.
[[nodiscard]] inline bool is_tool_file(std::string_view name) {
  constexpr std::array<std::string_view, 12> kNames = {
      "package.json",  "pyproject.toml", "setup.cfg",   "tox.ini",
      "composer.json", "deno.json",      "deno.jsonc",  "cargo.toml",
      "pom.xml",       "cmakelists.txt", "meson.build", kPackageMap};
  // A template of a script of CMake's is judged as one.
  const bool cmake =
      name.ends_with(".cmake") || name.ends_with(".cmake.in") || name == "cmakelists.txt.in";
  return is_script_config(name) || is_speller_config(name) || is_part_of_checker(name) || cmake ||
         std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

// True for a name that files of several programs have, one of which runs them: what such a file
// says tells. `name` is folded likewise, or the ending of one.
[[nodiscard]] inline bool is_shared_name(std::string_view name) {
  return name == "conf.py" || name.ends_with(".pro") || name.ends_with(".props") ||
         name.ends_with(".targets");
}

}  // namespace shadow
