// SPDX-License-Identifier: MIT
// The bases of what a session gave up.

#pragma once

#include "session/directory/review_session.hpp"

#include <functional>
#include <string>
#include <vector>

namespace shadow::bases {

// Makes what the project has now the base of paths at or below these that have one.
void renew_bases(const session::ReviewSession& session, const std::vector<std::string>& paths);

// Writes down, before these paths are dropped from the upper, that this will be so, as a refresh
// does (settle_refresh). What cannot be written, as on a full disk, keeps them from being dropped;
// and where what is to be written afterwards cannot be, the next command finds what it needs.
void note_renewals(const session::ReviewSession& session, const std::vector<std::string>& paths);

// Afterwards: `record`, in a transaction, which makes the notes needless.
void record_renewals(const session::ReviewSession& session, const std::function<void()>& record);

}  // namespace shadow::bases
