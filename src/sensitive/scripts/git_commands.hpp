// SPDX-License-Identifier: MIT
// Which settings of git-config(1) name something that git runs or obeys. Pure.

#pragma once

#include "base/git_config_text.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::sensitive {

enum class SettingUse : std::uint8_t {
  None,
  Hooks,       // a directory of programs
  Template,    // a directory of what a new repository gets
  Attributes,  // a file of attributes
  Trusted,     // a file, or a directory of files, by which git tells whom to believe
  Command      // a command line, or a program
};

[[nodiscard]] SettingUse use_of_setting(const GitConfigEntry& entry);

// True for a driver of "diff" or "merge" that git has built in. It runs no program unless a
// configuration gives it one: see defines_driver_of_git().
[[nodiscard]] bool is_driver_of_git(std::string_view section, std::string_view name);

// True if a configuration gives such a driver a program.
[[nodiscard]] bool defines_driver_of_git(const GitConfigEntry& entry);

// The words of a command line, or of a script, that may be paths. A shell's own punctuation parts
// them, what is quoted too: rather one word too many.
[[nodiscard]] std::vector<std::string> words_of_command(std::string_view text);

// Also those that hold a blank or such a sign, as the text quotes them; of one line the whole, too:
// git runs what some settings name without a shell.
[[nodiscard]] std::vector<std::string> words_in_any_reading(std::string_view text);

}  // namespace shadow::sensitive
