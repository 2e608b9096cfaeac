// SPDX-License-Identifier: MIT
// The names of the session's base tree: what was in the project, also where it is gone.

#pragma once

#include "session/directory/review_session.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shadow::follow {

// As they are when it is made. Of each name there is a hash alone: the process that holds them
// lives as long as the runs, and a project may have very many.
class BaseNames {
 public:
  explicit BaseNames(const session::ReviewSession& session);

  [[nodiscard]] bool has(std::string_view path) const;

  // Some thousands of those that were gone from the project then, handed over; none of a directory
  // that neither the project nor the session has.
  [[nodiscard]] std::vector<std::string> take_gone() { return std::move(gone_); }

 private:
  std::vector<std::uint64_t> hashes_;  // sorted
  std::vector<std::string> gone_;
};

}  // namespace shadow::follow
