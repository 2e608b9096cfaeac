// SPDX-License-Identifier: MIT
// The base of a branch: the real repository's ref when the session first changed its own.

#pragma once

#include "commits/refs/session_git.hpp"
#include "session/directory/review_session.hpp"

#include <optional>
#include <string>

namespace shadow::commits {

// The path of a session's base under which a ref's own is kept: that of its file, also where the
// git directory lies outside of the project.
[[nodiscard]] std::string base_path(const std::string& ref);

// From the ledger, else from the ref's log, which a run can forge: a fast-forward is asked for all
// the same. "" if there was no such ref; nullopt if neither is known.
[[nodiscard]] std::optional<std::string> base_of_ref(const session::ReviewSession& session,
                                                     const SessionGit& git, const std::string& ref);

// Makes `id`, which the real ref has by now, the base. While the session is live its own ref hides
// the project's; what it goes on from is this.
void set_base_of_ref(const session::ReviewSession& session, const SessionGit& git,
                     const std::string& ref, const std::string& id);

}  // namespace shadow::commits
