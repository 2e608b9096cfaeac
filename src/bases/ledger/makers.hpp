// SPDX-License-Identifier: MIT
// Decides which of several runs made a change, by the times of what it left. Pure.

#pragma once

#include "overlay/read/scan.hpp"
#include "store/tables/runs.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace shadow::bases {

// A run that may have made a change, by its place among the runs that are looked at.
struct Maker {
  std::size_t run = 0;
  bool certain = true;
};

// Whether there can have been another file at the path since the last look, which this one
// replaced.
enum class Earlier : std::uint8_t { Nothing, Another };

// The runs that may have made what is in the upper, all certain if it can have been one alone. In
// between the one that made a file and the one that wrote it last, others may have written it: of
// these, too, each is named, and none is certain.
[[nodiscard]] std::vector<Maker> makers_of(const std::vector<store::RunRow>& runs,
                                           const overlay::UpperEntry& entry, Earlier replaced);

}  // namespace shadow::bases
