// SPDX-License-Identifier: MIT
#include "base/data_bound.hpp"

#include <algorithm>
#include <optional>

#include <sys/resource.h>

namespace shadow {

namespace {

std::optional<rlim_t> callers_bound;

// Sets the soft limit; returns what it was, nullopt where that cannot be told.
std::optional<rlim_t> set_soft(rlim_t bound) {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0) {
    return std::nullopt;
  }
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = std::min(bound, limit.rlim_max);
  ::setrlimit(RLIMIT_DATA, &limit);
  return before;
}

}  // namespace

void bound_data(std::uint64_t most) {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_DATA, &limit) == 0 && most < limit.rlim_cur) {
    callers_bound = set_soft(most);
  }
}

WithoutDataBound::WithoutDataBound() {
  if (callers_bound) {
    bound_ = set_soft(*callers_bound).value_or(*callers_bound);
  }
}

WithoutDataBound::~WithoutDataBound() {
  if (callers_bound) {
    (void)set_soft(bound_);
  }
}

}  // namespace shadow
