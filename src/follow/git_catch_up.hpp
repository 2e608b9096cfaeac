// SPDX-License-Identifier: MIT
// Brings a live session's branches and index up to the project's after a ref of the project moved.

#pragma once

#include "shadow/session.hpp"

#include "session/directory/review_session.hpp"
#include "watch/tree_watch.hpp"

#include <cstdint>
#include <optional>

namespace shadow::follow {

// Times are sys::monotonic_ns().
class GitCatchUp {
 public:
  // One is due after the first refresh: earlier moves are not known. Of a git directory that lies
  // outside no names are told. Borrows both.
  GitCatchUp(const StateDir& state, const session::ReviewSession& session, bool outside)
      : state_{state}, session_{session}, outside_{outside} {}

  void note(const watch::TreeWatch::News& news);

  // Looks for itself: no event may have told.
  void look();

  // The view shows what was noted until now.
  void refreshed(std::int64_t now);

  // When it is to be tried.
  [[nodiscard]] std::optional<std::int64_t> next() const { return at_; }

  // Does it if that is now. What a git of the run's holds up is tried again, ever later.
  void try_if_due();

 private:
  [[nodiscard]] bool is_done() const;

  const StateDir& state_;
  const session::ReviewSession& session_;
  bool outside_;
  bool moved_ = true;
  std::optional<std::int64_t> at_;
  std::int64_t wait_ = 0;
};

}  // namespace shadow::follow
