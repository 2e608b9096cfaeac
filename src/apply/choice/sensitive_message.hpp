// SPDX-License-Identifier: MIT
// The message about sensitive changes that stop an apply or an undo. Pure.

#pragma once

#include "shadow/error.hpp"
#include "shadow/review.hpp"

#include <string_view>
#include <vector>

namespace shadow::apply {

class SensitiveError : public Error {
 public:
  using Error::Error;
};

// The error (Refused) of an apply that these changes stop: each with its own reason, the most
// dangerous first, with paths as seen from `place`.
[[nodiscard]] SensitiveError sensitive_error(const std::vector<ReviewItem>& blocked,
                                             std::string_view place);

// The same of an undo.
[[nodiscard]] SensitiveError sensitive_undo_error(const std::vector<ReviewItem>& blocked,
                                                  std::string_view place);

}  // namespace shadow::apply
