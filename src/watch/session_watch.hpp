// SPDX-License-Identifier: MIT
// Waits for events that a status reports.

#pragma once

#include "changes/ignore_set.hpp"
#include "overlay/read/view.hpp"
#include "session/directory/review_session.hpp"
#include "watch/tree_watch.hpp"

#include <optional>

namespace shadow::watch {

// Watches the session's layers and its runs, and the project but for what git ignores there.
class SessionWatch {
 public:
  // Borrows the session, to which no run is joined by that.
  explicit SessionWatch(const session::ReviewSession& session);

  // False: the user's limits (fs.inotify) do not suffice, and wait() returns every two seconds as
  // well.
  [[nodiscard]] bool complete() const { return complete_; }

  // Returns some time after what changed since the last call, when it is quiet or a fifth of a
  // second is over. Uses no processor's time before. Throws SysError.
  void wait();

 private:
  overlay::View layers_;
  git::IgnoreRules rules_;
  TreeWatch watch_{TreeWatch::Heeds::Contents};
  bool complete_ = true;
};

}  // namespace shadow::watch
