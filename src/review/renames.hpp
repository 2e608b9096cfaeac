// SPDX-License-Identifier: MIT
// Finds which deleted file became which created one. Not by git_diff_find_similar, which cuts off
// at its limit without a word and wants every content in memory at once.

#pragma once

#include "shadow/patch.hpp"

#include <cstddef>
#include <vector>

namespace shadow::review {

struct Rename {
  std::size_t from;  // index into the files: a deleted one
  std::size_t to;    // a created one
  unsigned similarity;
};

// Each file is in at most one pair. Equal contents pair first, of the same name before others;
// then, if asked for and within the limit, the most similar ones from half of the lines upwards.
// Empty files, and both halves of a change of type, pair with nothing.
[[nodiscard]] std::vector<Rename> find_renames(const std::vector<PatchFile>& files,
                                               const PatchOptions& options);

}  // namespace shadow::review
