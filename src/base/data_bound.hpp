// SPDX-License-Identifier: MIT
// An end to what a process allocates, which the programs that it starts do not inherit.

#pragma once

#include <cstdint>

namespace shadow {

// Bounds the data of this process (RLIMIT_DATA) to so many bytes; nothing where the caller has set
// a lower bound.
void bound_data(std::uint64_t most);

// Lifts the bound while other programs are started: they get what the caller had set.
class WithoutDataBound {
 public:
  WithoutDataBound();
  WithoutDataBound(const WithoutDataBound&) = delete;
  WithoutDataBound(WithoutDataBound&&) = delete;
  WithoutDataBound& operator=(const WithoutDataBound&) = delete;
  WithoutDataBound& operator=(WithoutDataBound&&) = delete;
  ~WithoutDataBound();

 private:
  std::uint64_t bound_ = 0;
};

}  // namespace shadow
