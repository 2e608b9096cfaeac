// SPDX-License-Identifier: MIT
#include "sensitive/leads/chains.hpp"

#include "base/tool_files.hpp"
#include "base/words.hpp"
#include "sensitive/parts/build_imports.hpp"
#include "sensitive/parts/included_settings.hpp"
#include "sensitive/parts/json_keys.hpp"
#include "sensitive/parts/maven_parts.hpp"

#include <array>

namespace shadow::sensitive {

const Chain* find_chain(std::string_view name) {
  static constexpr Chain kOfScripts{configurations_in, "tsconfig.json", ""};
  static constexpr Chain kOfMaven{poms_in, "pom.xml", "pom.xml"};
  static constexpr Chain kOfMsbuild{imports_of_msbuild, "", ""};
  static constexpr Chain kOfGradle{scripts_of_gradle, "", ""};
  static constexpr Chain kOfPhp{includes_of_xml, "", ""};
  static constexpr Chain kOfSpellers{imports_of_cspell, "cspell.json", ""};
  static constexpr Chain kOfNx{bases_of_nx, "", ""};
  static constexpr Chain kOfJest{presets_of_jest, "", ""};
  static constexpr Chain kOfCabal{imports_of_cabal, "", ""};
  static constexpr Chain kOfDune{includes_of_dune, "", ""};
  constexpr std::array<std::string_view, 3> kMsbuild = {"proj", ".props", ".targets"};
  constexpr std::array<std::string_view, 2> kGradle = {".gradle", ".gradle.kts"};
  constexpr std::array<std::string_view, 8> kPhp = {
      "psalm.xml",  "psalm.xml.dist",  "phpcs.xml",         "phpcs.xml.dist",
      ".phpcs.xml", ".phpcs.xml.dist", "phpcs.ruleset.xml", "ruleset.xml"};
  constexpr std::array<std::string_view, 2> kDune = {"dune", "dune.inc"};
  return is_script_config(name)              ? &kOfScripts
         : name == "pom.xml"                 ? &kOfMaven
         : has_end(name, kMsbuild)           ? &kOfMsbuild
         : has_end(name, kGradle)            ? &kOfGradle
         : is_one_of(name, kPhp)             ? &kOfPhp
         : is_speller_config(name)           ? &kOfSpellers
         : name == "nx.json"                 ? &kOfNx
         : name.starts_with("jest.config.")  ? &kOfJest
         : name.starts_with("cabal.project") ? &kOfCabal
         : is_one_of(name, kDune)            ? &kOfDune
                                             : nullptr;
}

}  // namespace shadow::sensitive
