// SPDX-License-Identifier: MIT
// What a pom.xml has Maven load at any call, and a language server that imports the project. Found
// by the names of elements: no linked library reads XML, and what may be one counts, well-formed or
// not. Pure.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

// Extensions of the build, plugins that are some, processors of annotations and other options of
// the compiler that load something, libraries and repositories that are files, and parents and
// modules in files that are not called pom.xml.
[[nodiscard]] std::string parts_of_maven(std::string_view text);

// The parents and modules that it names: directories with a pom.xml, or files of any name.
[[nodiscard]] std::vector<std::string> poms_in(std::string_view text);

}  // namespace shadow::sensitive
