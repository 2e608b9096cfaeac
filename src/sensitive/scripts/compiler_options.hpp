// SPDX-License-Identifier: MIT
// What the options of a compiler do as a build script tries it out: GCC, Clang and their linkers.
// Pure.

#pragma once

#include <cstdint>
#include <string_view>

namespace shadow::sensitive {

// How the text around the options tells a place: CMake's variables, or Meson's expressions.
enum class OptionsOf : std::uint8_t { Cmake, Meson };

// True if the compiler, or its linker, loads or runs something else.
[[nodiscard]] bool loads_into_compiler(std::string_view text);

// True if it writes a file that is not plainly in the build directory: of its place and, by "-MT",
// of its text anything may be asked for.
[[nodiscard]] bool compiler_writes_outside(std::string_view text, OptionsOf of);

// True if it takes in a file that the source does not name: where that is run, so is this.
[[nodiscard]] bool brings_code(std::string_view text);

}  // namespace shadow::sensitive
