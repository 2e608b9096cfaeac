// SPDX-License-Identifier: MIT
// A name that a text mentions, and the ways to read a text for them.

#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace shadow::sensitive {

struct Mention {
  std::string path;          // as the text has it, "~/" and "$HOME/" included
  bool below = false;        // of a directory all that lies in it
  bool module = false;       // a Python module, without the ending of its file
  bool directory = false;    // what is named relative to it counts as well ("cd tools")
  bool python_path = false;  // Python looks for modules in it before its own
  bool of_variable = false;  // in the value of one that programs obey: any file, with `below` any
                             // directory
  bool right_in = false;     // of a directory only what lies right in it
  bool if_fresh = false;     // and only what is new there
  bool run = false;          // right behind "." or an interpreter: a program by whatever name
  bool stood_in = false;     // what lies right where the script stands, of which it runs some
  bool package = false;      // a directory is run or imported by what its package.json names
  bool can_run = false;      // of a directory what lies in it and can run

  auto operator<=>(const Mention&) const = default;
};

enum class TextKind : std::uint8_t {
  Script,     // a word counts that has a slash, the ending of a script, or an interpreter before it
  Words,      // every word counts
  Python,     // as Script, and what is imported
  Values,     // of an editor's settings: as Script, and each value may be a directory of programs
  Places,     // of an INI file: likewise
  GitConfig,  // of git, not of a repository
  Imports     // in JavaScript: only what is imported, required or a plugin
};

}  // namespace shadow::sensitive
