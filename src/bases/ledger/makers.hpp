// SPDX-License-Identifier: MIT
// Decides which of several runs made a change, by the times of what it left. Pure.

#pragma once

#include "overlay/read/scan.hpp"
#include "store/tables/runs.hpp"

#include <cstddef>
#include <vector>

namespace shadow::bases {

// A run that may have made a change, by its place among the runs that are looked at.
struct Maker {
  std::size_t run = 0;
  bool certain = true;
};

// The runs that may have made what is in the upper, all certain if it can have been one alone.
[[nodiscard]] std::vector<Maker> makers_of(const std::vector<store::RunRow>& runs,
                                           const overlay::UpperEntry& entry);

}  // namespace shadow::bases
