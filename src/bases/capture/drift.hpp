// SPDX-License-Identifier: MIT
// Decides whether a real path is still the one from which the session started.

#pragma once

#include "shadow/base.hpp"
#include "shadow/review.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace shadow::bases {

// The facts about one path. `base` is null when there is no row.
struct DriftFacts {
  Entry real;
  const Base* base = nullptr;
  std::int64_t base_time_ns = 0;
  bool copied_up = false;  // the upper's entry was made from a real one
  bool directory = false;  // the session has a directory there
  bool was_there = false;  // see Existence: a file, of a path that the project has not
};

// Judges by identity and times alone. It never misses a change, and may take for one what left the
// content as it was; see equals_base. A directory's times move with every name in it, so
// directories are compared by kind and mode, and without a row only by kind: whatever was made in
// them has a path of its own.
[[nodiscard]] Drift drift_of(const DriftFacts& facts);

// True if the entry has the base's kind and its content by hash, or its target. See below.
[[nodiscard]] bool equals_base_content(const Entry& entry, int file, const Base& base);

// True if the entry is the base again: same kind, mode, target, and content by hash. `file` is the
// entry's own descriptor, or -1 when it is no regular file. False when the base's content is not
// known.
[[nodiscard]] bool equals_base(const Entry& entry, int file, const Base& base);

}  // namespace shadow::bases
