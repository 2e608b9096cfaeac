// SPDX-License-Identifier: MIT
// Counts denied destinations for the record of the run.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace shadow::proxy {

// A run chooses the names and may choose many: the rest are counted as one.
constexpr std::size_t kMostDeniedNames = 64;

class Denials {
 public:
  // `destination` is made of a canonical host and numbers: nothing in it can steer a terminal.
  void add(const std::string& destination);

  // "COUNT DESTINATION", one a line.
  [[nodiscard]] std::string text() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::uint64_t> counts_;
  std::uint64_t others_ = 0;
};

}  // namespace shadow::proxy
