// SPDX-License-Identifier: MIT
// A path of the project that something leads to.

#pragma once

#include <cstdint>
#include <string>

namespace shadow::sensitive {

// What a change must touch to count: the path itself, or also what lies below it.
enum class Reach : std::uint8_t { Itself, Below };

[[nodiscard]] constexpr Reach below_if(bool below) {
  return below ? Reach::Below : Reach::Itself;
}

// One path of the project, and the reason for a change there.
struct NamedPath {
  std::string path;
  std::string reason;
  bool below = false;     // what lies below it counts as well
  bool anywhere = false;  // relative to the top of any work tree in the project, not this one alone
  std::string alias{};    // another name of it; what lies below counts if it does by that name
  bool fresh_module = false;      // only what is new in this directory, and Python could load
  bool of_python = false;         // and only by a name of Python's own modules
  bool in_any_directory = false;  // relative to whichever directory of the project
  bool in_part = false;           // only the part that counts in a file of the name `alias`
  bool right_in = false;          // of what lies below, only what lies right in it
  bool if_fresh = false;          // and only what is new there
  bool can_run = false;           // of what lies below, only programs, scripts and libraries
};

[[nodiscard]] NamedPath named_path(std::string path, std::string reason,
                                   Reach reach = Reach::Itself);

// The part of a file that counts in one of the name `alias`.
[[nodiscard]] NamedPath named_in_part(std::string path, std::string reason, std::string alias);

// Programs, libraries and links, wherever they lie: where the directory in which the user stands is
// searched for them.
[[nodiscard]] NamedPath programs_in_any_directory(std::string reason);

// A directory in which Python looks for modules before its own.
[[nodiscard]] NamedPath python_directory(std::string directory, std::string reason);

}  // namespace shadow::sensitive
