// SPDX-License-Identifier: MIT
#include "session/discard.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/look.hpp"
#include "overlay/prune.hpp"
#include "session/background.hpp"
#include "session/idle.hpp"
#include "session/known_projects.hpp"
#include "session/live_runs.hpp"
#include "session/renew_bases.hpp"
#include "session/seen.hpp"
#include "store/bases.hpp"
#include "sys/clock.hpp"
#include "sys/dir.hpp"
#include "sys/lock.hpp"
#include "sys/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace shadow {

namespace {}  // namespace

void discard_paths(const ReviewSession& session, const Selection& selection, LiveRuns live) {
  const IdleSession idle =
      make_idle(session.dir, "discard " + quoted(selection.paths().front()), live);
  for (const std::string& path : selection.paths()) {
    overlay::drop(session.upper.get(), session.lower.get(), path);
  }
  store::Transaction transaction{*session.db};
  renew_bases(session, selection.paths());
  forget_gone(session, selection.paths());
  transaction.commit();
  keep_bases_in_background(session.dir);
}

}  // namespace shadow
