// SPDX-License-Identifier: MIT
// Names that files of several programs have, one of which runs them. Pure.

#pragma once

#include <string_view>

namespace shadow::sensitive {

// True if a file for which is_shared_name() belongs to a program that does not run it, by its path,
// which is folded, and what it says: a package's conf.py is no Sphinx's, rules of ProGuard and
// Prolog no project of qmake's, Java's properties none of MSBuild's.
[[nodiscard]] bool is_of_another_program(std::string_view folded_path, std::string_view text);

// True if a new file of that name may be the one that is run, whatever it says: any Python is a
// configuration of Sphinx's, which a language server finds wherever it lies. One that was there is
// what it was.
[[nodiscard]] bool is_taken_when_new(std::string_view folded_path);

}  // namespace shadow::sensitive
