// SPDX-License-Identifier: MIT
#include "proxy/denials.hpp"

namespace shadow::proxy {

void Denials::add(const std::string& destination) {
  const std::lock_guard lock{mutex_};
  if (const auto known = counts_.find(destination); known != counts_.end()) {
    ++known->second;
  } else if (counts_.size() < kMostDeniedNames) {
    counts_.emplace(destination, 1);
  } else {
    ++others_;
  }
}

std::string Denials::text() const {
  const std::lock_guard lock{mutex_};
  std::string lines;
  for (const auto& [destination, count] : counts_) {
    lines += std::to_string(count) + " " + destination + "\n";
  }
  if (others_ > 0) {
    lines += std::to_string(others_) + " others\n";
  }
  return lines;
}

}  // namespace shadow::proxy
