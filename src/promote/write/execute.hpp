// SPDX-License-Identifier: MIT
// The common way of applies and undos through the journal.

#pragma once

#include "shadow/apply.hpp"

#include <cstdint>
#include <optional>

namespace shadow::promote {

// As shadow::execute; `undoes` is set for an undo.
ApplyResult execute_as(const ApplySite& site, const ApplyPlan& plan, const ApplyRequest& request,
                       const std::optional<std::int64_t>& undoes);

}  // namespace shadow::promote
