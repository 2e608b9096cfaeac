// SPDX-License-Identifier: MIT
// A session whose side is to be changed: idle, or live and then through its view.

#pragma once

#include "live/live_view.hpp"
#include "live/view_edit.hpp"
#include "session/directory/idle.hpp"
#include "session/directory/review_session.hpp"

#include <optional>
#include <string>

namespace shadow::live {

struct HeldSession {
  sys::FileLock lock;
  std::optional<sys::FileLock> idle;
  std::optional<LiveView> view;  // where it is not idle

  [[nodiscard]] bool live() const { return view.has_value(); }
  [[nodiscard]] ViewEdit::Trees trees(const session::ReviewSession& session) const;
};

// Takes the session's lock, and ends its runs where they are to be ended. `task` completes "cannot
// ..." in the Error (Refused) that is thrown when another command works on the session, or when
// nothing can join its runs.
[[nodiscard]] HeldSession hold_session(const session::ReviewSession& session,
                                       const std::string& task, session::LiveRuns live);

// The same without waiting: nullopt when another command works on the session, or when its runs are
// ending.
[[nodiscard]] std::optional<HeldSession> try_hold_session(const session::ReviewSession& session);

// Takes back what an edit of the view that was killed left there, unless one is at work.
void remove_what_was_staged(const session::ReviewSession& session);

}  // namespace shadow::live
