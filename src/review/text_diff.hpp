// SPDX-License-Identifier: MIT
// libgit2's diff of two contents in memory, line by line.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace shadow::review {

// The receiver of a diff. Calls come in order: `file` once, then either `binary` once, or `hunk`
// and `line` as often as there are; neither for contents without lines.
struct DiffEvents {
  // The object ids of both sides, 40 hex digits; all zero for a side that is not there.
  std::function<void(const std::string& old_id, const std::string& new_id)> file;
  std::function<void()> binary;
  // The "@@ ... @@" line with its newline; first lines counted from 1 (0 when there are no lines).
  std::function<void(std::string_view header, std::size_t old_start, std::size_t new_start)> hunk;
  // ' ', '+' or '-', and the line, without newline only where the content has none at its end.
  std::function<void(char origin, std::string_view line)> line;
};

// git calls a content binary that has a NUL near its beginning, which runs as a script all the
// same.
enum class Nuls : std::uint8_t {
  Binary,  // as git has it: what is printed or counted is for git
  Text,    // a person is shown what otherwise reads as text
  Code     // the same of a file that can be executed: also what reads as nothing else
};

struct DiffLimits {
  unsigned context_lines = 3;
  std::size_t max_text_bytes = std::size_t{32} << 20U;  // larger contents are binary
  Nuls nuls = Nuls::Binary;
};

// True if a content is text except for a few NULs, has text before the first one, or says that it
// is a script. Interpreters pass over NULs: bash over those behind the first line, dash over all.
[[nodiscard]] bool is_text_with_nuls(std::string_view content);

// nullopt: there is no such side. The two must not be equal. Texts that take more than some seconds
// to compare come as binary. Exceptions of the receiver pass through.
void diff_contents(const std::optional<std::string_view>& before,
                   const std::optional<std::string_view>& after, const DiffLimits& limits,
                   const DiffEvents& events);

// git's "GIT binary patch" block for these contents, with both directions.
[[nodiscard]] std::string binary_hunks(const std::optional<std::string_view>& before,
                                       const std::optional<std::string_view>& after);

}  // namespace shadow::review
