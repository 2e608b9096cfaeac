// SPDX-License-Identifier: MIT
// What of a live session's own hides a change of the project's: a run may take that back, of which
// no event tells.

#pragma once

#include "refresh/keep_up.hpp"
#include "refresh/own_changes.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace shadow::follow {

class OwnWatch {
 public:
  // `upper` is borrowed.
  explicit OwnWatch(int upper) : upper_{upper} {}

  // At what was looked at now, this hides a change; nothing else does.
  void note(const refresh::ChangedPaths& looked_at, refresh::OwnChanges hiding);

  // The paths that a run has touched since they were noted.
  [[nodiscard]] std::set<std::string> touched();

  // The time of the next look (sys::monotonic_ns): soon enough for what is shown within 0.3 s, at
  // a hundredth of the time at most. nullopt while there is nothing to look at.
  [[nodiscard]] std::optional<std::int64_t> next() const;

 private:
  int upper_;
  refresh::OwnChanges hiding_;
  std::int64_t next_ns_ = 0;
  std::int64_t period_ns_ = 0;
};

}  // namespace shadow::follow
