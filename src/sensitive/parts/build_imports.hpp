// SPDX-License-Identifier: MIT
// Files that a file of a build takes in, whatever they are called. Pure.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

// What a project of MSBuild's imports: <Import Project="$(MSBuildThisFileDirectory)../x">. Of a
// path behind a variable, the rest; of one with a wildcard, the directory before it.
[[nodiscard]] std::vector<std::string> imports_of_msbuild(std::string_view text);

// What a script of Gradle's applies: apply from: "$rootDir/x", apply(from = "x").
[[nodiscard]] std::vector<std::string> scripts_of_gradle(std::string_view text);

}  // namespace shadow::sensitive
