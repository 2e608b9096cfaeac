// SPDX-License-Identifier: MIT
// Variables of the environment that tell git, shells, interpreters and tools what to run or obey.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace shadow::sensitive {

enum class VariableUse : std::uint8_t {
  Command,      // a command line
  Program,      // a program, searched on the PATH if it has no slash
  File,         // a file that is read and obeyed
  Directory,    // everything in it is
  Directories,  // a list of such
  SearchPath,   // a list of directories, of which what lies right in them is run or loaded
  ModulePath,   // a list of directories in which an interpreter looks for modules before its own
  PythonPath    // the same of Python, whose modules are known
};

struct KnownVariable {
  const char* name;
  VariableUse use;
  bool in_files_alone = false;  // of the caller's own it is looked at elsewhere, or not at all
};

[[nodiscard]] std::span<const KnownVariable> known_variables();

// nullptr for a name that is none of them.
[[nodiscard]] const KnownVariable* find_known_variable(std::string_view name);

}  // namespace shadow::sensitive
