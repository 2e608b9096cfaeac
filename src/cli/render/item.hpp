// SPDX-License-Identifier: MIT
// One reviewed change, in each of the forms that commands print.

#pragma once

#include "shadow/review.hpp"

#include "cli/json.hpp"

#include <string>

namespace shadow::cli {

// The path for people: escaped, with a '/' behind a directory's.
[[nodiscard]] std::string shown_path(const Change& change);

// Whether somebody else changed the path as well, so that an apply has to merge or to stop.
[[nodiscard]] bool both_changed(const ReviewItem& item);

// What is to be said beside the path: "conflict: ...", "sensitive: ...", "mode 755"; empty
// when nothing is.
[[nodiscard]] std::string remarks(const ReviewItem& item);

// The line of --porcelain without its end: three columns and a blank, then the path.
//   1  A D M T
//   2  '.', or what became of the real path: C changed, A appeared, V vanished; M changed, and the
//      two changes can be merged
//   3  '.', or S sensitive
[[nodiscard]] std::string porcelain_columns(const ReviewItem& item);

[[nodiscard]] Json to_json(const ReviewItem& item);

}  // namespace shadow::cli
