// SPDX-License-Identifier: MIT
// A text that may lead further. Pure.

#pragma once

#include "sensitive/leads/named_path.hpp"
#include "sensitive/names/script_words.hpp"
#include "sensitive/names/sensitive_names.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

// A text to read: the directories in which its words are looked for, and the reason for paths that
// it names.
struct LeadSource {
  std::string text;
  std::vector<std::string> bases;
  std::string reason;
  TextKind kind = TextKind::Script;
  int steps = 0;
  bool last = false;  // what it names is not read in turn
  LeadsTo to = LeadsTo::Files;
  bool imports = false;  // a program in JavaScript
  bool of_shell = true;
  std::size_t own = 0;  // of the bases; the text goes to those behind
};

// What lies right where the text may stand as it runs some of that: in directories that it goes to,
// in its own ("cd "$(dirname "$0")""), or else in any of the bases.
[[nodiscard]] std::vector<NamedPath> places_stood_in(const LeadSource& source);

// True for a script of a shell, by its first line or else by its name.
[[nodiscard]] bool is_of_shell(std::string_view file, std::string_view text);

// How the text of a file of the list is read.
[[nodiscard]] TextKind kind_of_leading(const LeadingName& rule, const std::string& file,
                                       const std::string& text);

// Tells apart in which way a path counts that a text names; empty if all of it does.
[[nodiscard]] std::string manner_of(const Mention& one);

// The path, counting in that way.
[[nodiscard]] NamedPath of_variable(NamedPath named, const Mention& one);

// True for settings that those of the text extend or include.
[[nodiscard]] bool are_settings_named_by(const LeadSource& source, const std::string& path);

// Beside the file, and in each directory above.
[[nodiscard]] std::vector<std::string> beside(const std::string& file);

}  // namespace shadow::sensitive
