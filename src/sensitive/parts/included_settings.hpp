// SPDX-License-Identifier: MIT
// Files and directories that the settings of a checker, a builder or a test runner take in,
// whatever they are called: each counts as the settings do. Pure.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

// XInclude in the settings of psalm, and the rules, standards and code that those of phpcs name
// (https://github.com/PHPCSStandards/PHP_CodeSniffer/wiki/Annotated-Ruleset).
[[nodiscard]] std::vector<std::string> includes_of_xml(std::string_view text);

// The settings of a spell checker that others import: https://cspell.org/docs/Configuration/imports
[[nodiscard]] std::vector<std::string> imports_of_cspell(std::string_view text);

// https://nx.dev/reference/nx-json, "extends".
[[nodiscard]] std::vector<std::string> bases_of_nx(std::string_view text);

// A preset is a file, or a directory with a jest-preset in it: https://jestjs.io/docs/configuration
[[nodiscard]] std::vector<std::string> presets_of_jest(std::string_view text);

// https://cabal.readthedocs.io/en/stable/cabal-project-description-file.html#conditionals-and-imports
[[nodiscard]] std::vector<std::string> imports_of_cabal(std::string_view text);

// https://dune.readthedocs.io/en/stable/reference/files/dune/include.html
[[nodiscard]] std::vector<std::string> includes_of_dune(std::string_view text);

}  // namespace shadow::sensitive
