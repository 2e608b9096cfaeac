// SPDX-License-Identifier: MIT
// The base tree of a session that a refresh has just brought up to the project.

#pragma once

#include "bases/tree/base_tree.hpp"
#include "store/contents/blobs.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace shadow::bases {

// What the project's files are as they are looked at, edits since the refresh included: whoever
// saves as a refresh goes on may as well have saved before it. But what the session has an entry
// for, or hides, may have been made from what was there before: of that, what is older than
// `renewed_ns` alone is known. `before_reading` as in take_base_tree().
[[nodiscard]] BaseTree take_renewed_tree(const std::string& project, std::int64_t renewed_ns,
                                         int upper, store::Blobs& blobs,
                                         const std::function<void()>& before_reading = {});

}  // namespace shadow::bases
