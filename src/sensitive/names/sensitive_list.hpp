// SPDX-License-Identifier: MIT
// The list of names that programs run or obey: data/sensitive.toml, compiled in.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace shadow::sensitive {

inline constexpr int kMostPartsOfAName = 3;  // in the list

enum class SensitiveKind : std::uint8_t {
  File,             // of that name, wherever it lies
  Directory,        // likewise, with everything below it
  Ending,           // a file whose name ends so
  DirectoryEnding,  // likewise, and everything below a directory of such a name
  Pattern,         // a file whose name fits the "*" in it; "/**/" is any way between two components
  PythonModule,    // a module or package that Python finds by that name
  NewPythonModule  // likewise, where the project does not have it as its own
};

enum class SensitiveEffect : std::uint8_t {
  Stops,  // an apply, until it is allowed
  Named   // nothing runs it: it is pointed out
};

struct SensitiveName {
  std::string_view name;  // folded; one component or several, or an ending
  SensitiveKind kind;
  SensitiveEffect effect;
  bool at_root;  // relative to the top of the project or of a repository in it only
  bool alone;    // what a file of that name names runs somewhere else, or on request
  std::string_view reason;
};

// True if everything below such a name counts as well.
[[nodiscard]] constexpr bool is_directory_rule(const SensitiveName& rule) {
  return rule.kind == SensitiveKind::Directory || rule.kind == SensitiveKind::DirectoryEnding;
}

// Sorted by name.
[[nodiscard]] std::span<const SensitiveName> sensitive_names();

enum class LeadsTo : std::uint8_t {
  Programs,    // what it names that is one by its name or mode, or is imported
  Files,       // any file
  Directories  // any file, and all that lies in a directory
};

// A file that names others, which whoever obeys it runs or obeys as well.
struct LeadingName {
  std::string_view name;  // folded; with "/*" at its end every file in a directory
  bool words;             // every word may be a file beside it; else only what has a slash
  LeadsTo to;
};
[[nodiscard]] std::span<const LeadingName> leading_names();

}  // namespace shadow::sensitive
