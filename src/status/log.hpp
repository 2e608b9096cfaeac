// SPDX-License-Identifier: MIT
// The runs of a session, and what they changed.

#pragma once

#include "shadow/records.hpp"

#include "session/directory/review_session.hpp"
#include "store/database/database.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shadow::status {

// The runs that changed something of what the path arguments select, live ones too, or all: newest
// first, each once. Throws Error (No) that names the arguments at which no run changed anything.
[[nodiscard]] std::vector<LoggedRun> list_runs(const session::ReviewSession& session,
                                               const std::vector<std::string>& arguments);

// The run of this number, of whichever session, with all that it changed; nullopt when there is
// none.
[[nodiscard]] std::optional<ShownRun> show_run(store::Database& db, std::int64_t id);

}  // namespace shadow::status
