// SPDX-License-Identifier: MIT
// The entries of a tree, as its bytes have them.

#pragma once

#include <git2.h>

#include <optional>
#include <string_view>
#include <vector>

namespace shadow::git {

struct TreeRow {
  unsigned mode = 0;
  std::string_view name;
  git_oid id{};
};

// Both are part of the bytes that were read.
struct TreeBytes {
  std::vector<TreeRow> rows;
  bool whole = true;         // false: after these rows stands what is none
  bool padded_mode = false;  // a mode begins with a zero, which git does not write
};

[[nodiscard]] TreeBytes read_tree(std::string_view bytes);

// The rows of a tree in their order; nullopt when the bytes are not what git writes.
[[nodiscard]] std::optional<std::vector<TreeRow>> tree_rows(std::string_view bytes);

}  // namespace shadow::git
