// SPDX-License-Identifier: MIT
#include "follow/own_watch.hpp"

#include "overlay/format/look.hpp"
#include "sys/files/clock.hpp"

#include <algorithm>
#include <utility>

namespace shadow::follow {

void OwnWatch::note(const refresh::ChangedPaths& looked_at, refresh::OwnChanges hiding) {
  if (looked_at.any) {
    hiding_.clear();
  }
  for (const std::string& name : looked_at.names) {
    hiding_.erase(name);
  }
  hiding.merge(hiding_);
  hiding_ = std::move(hiding);
}

std::set<std::string> OwnWatch::touched() {
  constexpr std::int64_t kPeriod = 200'000'000;
  constexpr std::int64_t kMostPeriod = 20 * kPeriod;
  constexpr std::int64_t kRest = 99;
  const std::int64_t begin = sys::monotonic_ns();
  std::set<std::string> touched;
  for (const auto& [path, then] : hiding_) {
    if (refresh::time_of_own(overlay::look_beneath(upper_, path)) != then) {
      touched.insert(path);
    }
  }
  const std::int64_t end = sys::monotonic_ns();
  // What is written all the time is not taken back, and costs more than a look.
  period_ns_ = touched.empty() ? kPeriod : std::min(2 * period_ns_, kMostPeriod);
  next_ns_ = end + std::max(period_ns_, kRest * (end - begin));
  return touched;
}

std::optional<std::int64_t> OwnWatch::next() const {
  return hiding_.empty() ? std::nullopt : std::optional{next_ns_};
}

}  // namespace shadow::follow
