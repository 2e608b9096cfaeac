// SPDX-License-Identifier: MIT
#include "upkeep/tally.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "bases/tree/await_base_tree.hpp"
#include "changes/review_set.hpp"
#include "overlay/read/scan.hpp"
#include "session/directory/live_runs.hpp"
#include "session/directory/review_session.hpp"
#include "session/directory/run_spool.hpp"
#include "store/tables/runs.hpp"
#include "store/tables/sessions.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/lock.hpp"
#include "upkeep/open_review.hpp"

#include <chrono>
#include <exception>
#include <optional>

#include <fcntl.h>

namespace shadow::upkeep {

namespace {

constexpr const char* kCountingLock = "counting";

void look_for_changes(const StateDir& state, store::Database& db, const store::SessionRow& row,
                      std::int64_t version) {
  try {
    if (const auto session = session::open_as_it_is(state, row)) {
      // Records what it finds by itself, as every look at the whole session does.
      (void)changes::review_changes(*session, session::Selection{}, changes::WalkGitDirs::No);
      return;
    }
  } catch (const std::exception&) {
    // As little is known of it as of one without a project. Not everything there need fit into
    // memory.
  }
  store::put_changes(db, row.id, version, std::nullopt, sys::now_ns());
}

void count_once(const StateDir& state, store::Database& db, const store::SessionRow& row,
                const session::SessionDir& dir) {
  const store::Tally tally = store::find_tally(db, row.id);
  store::put_bytes(db, row.id, tally.version, layer_bytes(dir, "project"),
                   layer_bytes(dir, "home"));
  if (tally.changes_version != tally.version || session::has_live_runs(dir)) {
    look_for_changes(state, db, row, tally.version);
  }
}

void count_session(const StateDir& state, store::Database& db, const store::SessionRow& row) {
  const auto dir = session::SessionDir::find(state, row.id);
  if (!dir) {
    return;
  }
  constexpr std::chrono::seconds kTallyPatience{5};
  (void)bases::await_base_tree(*dir, kTallyPatience);
  try {
    settle_session(state, *dir, row.project, db, [](const std::string&) {});
  } catch (const Error&) {
    // The size is known even if the project is gone.
  }
  // A session that changes while it is counted is counted again, but not for ever.
  constexpr int kMostTimes = 3;
  for (int times = 0; times < kMostTimes; ++times) {
    const auto counting = sys::try_lock_file_at(dir->fd(), kCountingLock, sys::LockMode::Exclusive);
    if (!counting || !last_count(*dir, db).outdated) {
      return;
    }
    count_once(state, db, row, *dir);
  }
}

}  // namespace

std::uint64_t layer_bytes(const session::SessionDir& dir, const std::string& layer) {
  const sys::Fd upper = sys::try_open_beneath(dir.fd(), layer + "/upper", O_RDONLY | O_DIRECTORY);
  std::uint64_t bytes = 0;
  if (upper) {
    overlay::walk_upper(upper.get(), [&bytes](const overlay::UpperEntry& entry) {
      if (entry.entry.kind == EntryKind::File) {
        bytes += entry.entry.size;
      }
    });
  }
  return bytes;
}

// In the order in which a run goes: live, noted, in the database, recorded with a tally that is out
// of date. One that moves on meanwhile is met at the next place.
LastCount last_count(const session::SessionDir& session, store::Database& db) {
  LastCount count;
  count.outdated = session::has_live_runs(session) || session::has_noted_runs(session) ||
                   !store::unsettled_runs(db, session.id()).empty();
  SHADOW_FAIL_POINT("runs-looked-at");
  count.tally = store::find_tally(db, session.id());
  count.outdated = count.outdated || !count.tally.is_current();
  return count;
}

void count_sessions(const StateDir& state, const std::vector<std::string>& sessions) {
  store::Database db{state.database()};
  for (const std::string& id : sessions) {
    try {
      if (const auto row = store::find_session(db, id)) {
        count_session(state, db, *row);
      }
    } catch (const std::exception&) {
      continue;  // nobody reads a message here, and the next list tries again
    }
  }
}

}  // namespace shadow::upkeep
