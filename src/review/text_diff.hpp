// SPDX-License-Identifier: MIT
// libgit2's diff of two contents in memory, line by line.

#pragma once

#include <cstddef>
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

struct DiffLimits {
  unsigned context_lines = 3;
  std::size_t max_text_bytes = std::size_t{512} << 20U;  // larger contents are binary
};

// nullopt: there is no such side. The two must not be equal. Exceptions of the receiver pass
// through.
void diff_contents(const std::optional<std::string_view>& before,
                   const std::optional<std::string_view>& after, const DiffLimits& limits,
                   const DiffEvents& events);

// git's "GIT binary patch" block for these contents, with both directions.
[[nodiscard]] std::string binary_hunks(const std::optional<std::string_view>& before,
                                       const std::optional<std::string_view>& after);

}  // namespace shadow::review
