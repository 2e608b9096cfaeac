// SPDX-License-Identifier: MIT
// Text for people: names and contents that come from an agent are shown so that they cannot steer
// a terminal or pass for something else.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow {

// The bytes with control characters, invalid UTF-8, bidirectional overrides and invisible format
// characters replaced by visible escapes (\n, \x1b, \u202e, \xff). Printable UTF-8 stays.
[[nodiscard]] std::string printable(std::string_view bytes);

// Two lower-case digits for each byte, as git writes the names of objects.
[[nodiscard]] std::string hex_of(std::string_view bytes);

// As `printable`, but keeps '\n' and '\t'; for file contents.
[[nodiscard]] std::string printable_text(std::string_view bytes);

// 'printable bytes' in single quotes, for messages. An object and no function: a call with a
// std::string would look for functions in std as well, where std::quoted fits better.
struct Quoted {
  [[nodiscard]] std::string operator()(std::string_view bytes) const;
};
inline const Quoted quoted{};

// git's way to write a path in line-based output: as it is, or in double quotes with C escapes when
// it holds a control character, '"', '\\' or a byte above 0x7f (core.quotePath).
[[nodiscard]] std::string git_quoted(std::string_view path);

// A word that a POSIX shell reads back as these bytes; control characters in $'...' form.
[[nodiscard]] std::string shell_quoted(std::string_view word);

// Without blanks, tabs and line ends at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

[[nodiscard]] std::vector<std::string> split(std::string_view text, char separator);
[[nodiscard]] std::string join(const std::vector<std::string>& parts, std::string_view separator);

// True if the path `path` is `above` or lies below it. "" is above everything.
[[nodiscard]] bool is_at_or_below(std::string_view path, std::string_view above);

}  // namespace shadow
