// SPDX-License-Identifier: MIT
// What a line of a script or a set-up does with the words in it. Pure.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

[[nodiscard]] std::string_view without_indent(std::string_view line);

// True if the line has a key of directories from which programs are loaded or run, or of those in
// which Python's tools look for modules.
[[nodiscard]] bool names_directory(std::string_view line);
[[nodiscard]] bool names_module_path(std::string_view line);

// "import a from 'b'", "} from 'b'", "require('b')"; and what is imported stands on the next line.
[[nodiscard]] bool imports(std::string_view line);
[[nodiscard]] bool opens_import(std::string_view line);

// A loop over files, what reads or runs several, or runs what it makes of a directory's.
[[nodiscard]] bool takes_many(std::string_view line);

// True if what the line runs stands in another directory that it names: "cd x", "make -C x"; and
// if the next line names that directory, in a list that goes on.
[[nodiscard]] bool changes_directory(std::string_view line);
[[nodiscard]] bool ends_with_directory_option(std::string_view line);

// True for a key of YAML that names further files of the same kind, also by a pattern.
[[nodiscard]] bool includes_files(std::string_view line);

// Directories of which the line runs or loads what lies in them: "find x -exec sh {} \;",
// "ls x | xargs sh", "java -cp x".
[[nodiscard]] std::vector<std::string> directories_taken_whole(std::string_view line);

// Files that Ruby and Perl load before they run: "lib/x" of "ruby -Ilib -rx", "lib/A/B.pm" of "perl
// -Ilib -MA::B".
[[nodiscard]] std::vector<std::string> files_required(std::string_view line);

// What a line that calls a program has it read by itself: makefiles, and what is one to others.
[[nodiscard]] std::vector<std::string> files_read_by_default(std::string_view line);

}  // namespace shadow::sensitive
