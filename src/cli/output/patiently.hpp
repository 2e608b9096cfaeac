// SPDX-License-Identifier: MIT
// Another try for a command that met a file which was written while it was read.

#pragma once

#include "shadow/failure.hpp"

namespace shadow::cli {

// Returns the result of `work`, which is tried anew a few times: a run that writes, or what has its
// view follow the project, may be done with the file a moment later. Not where the project was
// written, nor where a person has seen something (`seen` is true): that is not said twice.
template <class Work, class Seen>
auto patiently(const Work& work, const Seen& seen) {
  constexpr int kMostTries = 5;
  for (int tries = 1;; ++tries) {
    try {
      return work();
    } catch (const workspace::Failure& failure) {
      if (failure.kind() != workspace::Kind::Stale || failure.written() || tries == kMostTries ||
          seen()) {
        throw;
      }
    }
  }
}

}  // namespace shadow::cli
