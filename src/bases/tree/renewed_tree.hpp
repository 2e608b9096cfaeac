// SPDX-License-Identifier: MIT
// The base tree of a session that a refresh has just brought up to the project.

#pragma once

#include "bases/tree/base_tree.hpp"
#include "store/contents/blobs.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace shadow::bases {

// The project's files as they are when looked at, edits since the refresh included: a user who
// saves as a refresh goes on may as well have saved before it. An entry of the session, or what it
// hides, may have been made from an earlier file: there only a file older than `renewed_ns` is
// known. `before_reading` as in take_base_tree().
[[nodiscard]] BaseTree take_renewed_tree(const std::string& project, std::int64_t renewed_ns,
                                         int upper, store::Blobs& blobs,
                                         const std::function<void()>& before_reading = {});

}  // namespace shadow::bases
