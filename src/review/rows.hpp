// SPDX-License-Identifier: MIT
// The rows of a patch or a summary: which side of which file stands against which.

#pragma once

#include "review/content.hpp"

#include <string>
#include <vector>

namespace shadow::review {

// One row. A side whose mode is 0 is not there.
struct Row {
  char letter;  // A D M T R
  FileVersion before;
  FileVersion after;
  std::uint32_t old_mode;
  std::uint32_t new_mode;
  unsigned similarity = 0;      // R only
  bool content_changed = true;  // false: the contents are known to be equal

  [[nodiscard]] const std::string& old_path() const { return *before.path; }
  [[nodiscard]] const std::string& path() const { return *after.path; }
};

// True if a patch without binary hunks only says that the row's sides differ: one is larger than
// `most_text`, or begins as a binary and is so large that reading it would be felt.
[[nodiscard]] bool stays_unread(const Row& row, std::size_t most_text);
[[nodiscard]] bool stays_unread(const FileVersion& side, std::uint32_t mode, std::size_t most_text);

// Sorted by path. Borrows from `files`. Throws Error for a path that is not relative and plain.
[[nodiscard]] std::vector<Row> make_rows(const std::vector<PatchFile>& files,
                                         const PatchOptions& options);

}  // namespace shadow::review
