// SPDX-License-Identifier: MIT
// New bases for all that the session has not touched.

#pragma once

#include "session/directory/review_session.hpp"

#include <cstdint>

namespace shadow::refresh {

// A base time that is certain now: what a file is stamped with from here on is later.
[[nodiscard]] std::int64_t base_time_now();

// Makes `base_time_ns` the session's base time: what the project has that is older is what changes
// of other paths will start from. Where the session has an entry the base stays what it is, and
// where that is not known it stays unknown. The base tree is taken anew in the background.
// `base_time_ns` is of before the upper was last brought up to the project; with the session's
// locks.
void renew_untouched(const session::ReviewSession& session, std::int64_t base_time_ns);

}  // namespace shadow::refresh
