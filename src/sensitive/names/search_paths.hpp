// SPDX-License-Identifier: MIT
// Where programs search for code: what the lines of a script or a set-up say of that. Pure.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

// One part of the value that a line gives a variable which programs obey.
struct ValuePart {
  std::string path;       // "." is the directory in which the variable is set
  bool below = false;     // all that lies in it is obeyed, where it is a directory
  bool right_in = false;  // only what lies right in it
  bool if_fresh = false;  // and only what is new there
};

// Reads a text line by line: a value may go on.
class VariableReader {
 public:
  // What the line says of known_variables(), in the forms of shells, direnv, dotenv files, TOML,
  // YAML and JSON.
  [[nodiscard]] std::vector<ValuePart> read(std::string_view line);

 private:
  std::optional<ValuePart> form_;  // of a value that goes on
};

// True if the line adds directories in which a program searches for code: the PATH of a shell,
// zsh's fpath, vim's runtimepath, Lua's package.path.
[[nodiscard]] bool puts_on_path(std::string_view line);

// The entries of a PATH that are relative to wherever the shell stands: "bin" for "./bin" and
// "../bin", "." for that directory itself, which an empty entry is, too.
[[nodiscard]] std::vector<std::string> relative_entries_of_list(std::string_view list);

// Those that the line puts there ("./node_modules/.bin", "PATH=.:$PATH").
[[nodiscard]] std::vector<std::string> relative_entries(std::string_view line);

}  // namespace shadow::sensitive
