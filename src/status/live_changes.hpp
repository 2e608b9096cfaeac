// SPDX-License-Identifier: MIT
// What the live runs of a session have changed so far: the database learns it when they have ended.

#pragma once

#include "shadow/records.hpp"

#include "session/directory/review_session.hpp"
#include "store/tables/runs.hpp"

#include <vector>

namespace shadow::status {

struct LiveChanges {
  store::RunRow run;
  std::vector<RunChange> changes;
};

// Of each live run that has changed something. Looks at the layer only while there are live runs.
[[nodiscard]] std::vector<LiveChanges> live_changes(const session::ReviewSession& session);

}  // namespace shadow::status
