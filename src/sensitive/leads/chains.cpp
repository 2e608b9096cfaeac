// SPDX-License-Identifier: MIT
#include "sensitive/leads/chains.hpp"

#include "base/tool_files.hpp"
#include "base/words.hpp"
#include "sensitive/parts/build_imports.hpp"
#include "sensitive/parts/json_keys.hpp"
#include "sensitive/parts/maven_parts.hpp"

#include <array>

namespace shadow::sensitive {

const Chain* find_chain(std::string_view name) {
  static constexpr Chain kOfScripts{configurations_in, "tsconfig.json", ""};
  static constexpr Chain kOfMaven{poms_in, "pom.xml", "pom.xml"};
  static constexpr Chain kOfMsbuild{imports_of_msbuild, "", ""};
  static constexpr Chain kOfGradle{scripts_of_gradle, "", ""};
  constexpr std::array<std::string_view, 3> kMsbuild = {"proj", ".props", ".targets"};
  constexpr std::array<std::string_view, 2> kGradle = {".gradle", ".gradle.kts"};
  return is_script_config(name)    ? &kOfScripts
         : name == "pom.xml"       ? &kOfMaven
         : has_end(name, kMsbuild) ? &kOfMsbuild
         : has_end(name, kGradle)  ? &kOfGradle
                                   : nullptr;
}

}  // namespace shadow::sensitive
