// SPDX-License-Identifier: MIT
// A refresh of a session, planned or done.

#pragma once

#include "shadow/review.hpp"

#include <string>
#include <vector>

namespace shadow {

// A path that gets, or got, the project's change.
struct RefreshedPath {
  ReviewItem item;
  bool merged = false;  // else the session had nothing of its own there, and the project's shows
};

// A path that is in conflict: the session's entry is what it was.
struct SkippedPath {
  ReviewItem item;
  std::string reason;
};

// What a refresh did, or would do.
struct RefreshReport {
  std::string place;                // where the caller stands, relative to the project
  std::vector<RefreshedPath> done;  // or to be done
  std::vector<SkippedPath> left;
  std::vector<ReviewItem> left_ignored;  // files that git ignores and both sides have changed
};

}  // namespace shadow
