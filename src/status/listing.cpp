// SPDX-License-Identifier: MIT
#include "status/listing.hpp"

#include "session/directory/background.hpp"
#include "session/directory/live_runs.hpp"
#include "session/directory/session_dir.hpp"
#include "store/tables/sessions.hpp"
#include "store/tables/tallies.hpp"
#include "sys/files/dir.hpp"
#include "upkeep/replaced.hpp"
#include "upkeep/tally.hpp"

#include <algorithm>
#include <string>
#include <thread>
#include <utility>

namespace shadow::status {

namespace {

ListedSession look_at_session(const StateDir& state, store::Database& db, SessionRecord row) {
  ListedSession listed;
  listed.session = std::move(row);
  const auto dir = session::SessionDir::find(state, listed.session.id);
  if (!dir) {
    return listed;
  }
  listed.live = session::has_live_runs(*dir);
  const upkeep::LastCount last = upkeep::last_count(*dir, db);
  const store::Tally& tally = last.tally;
  listed.outdated = last.outdated;
  listed.counted_ns = tally.counted_ns;
  listed.bytes = tally.bytes;
  listed.home_bytes = tally.home_bytes;
  listed.project_missing = !sys::is_real_directory(listed.session.project);
  listed.project_replaced = upkeep::is_replaced(*dir, listed.session.project);
  if (!listed.project_missing) {
    listed.changed = tally.changes;
  }
  return listed;
}

// A run that goes on brings more to count, and one whose project is gone is never recorded: what is
// known of such a session stays approximate.
bool is_waited_for(const ListedSession& session) {
  const bool stays_outdated = session.live || session.project_missing;
  return session.outdated && (!stays_outdated || session.counted_ns == 0);
}

}  // namespace

std::vector<ListedSession> list_sessions(const StateDir& state, store::Database& db) {
  std::vector<ListedSession> list;
  for (store::SessionRow& row : store::all_sessions(db)) {
    list.push_back(look_at_session(state, db, std::move(row)));
  }
  return list;
}

std::vector<ListedSession> list_counted(const StateDir& state, store::Database& db,
                                        std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kPause{5};
  const auto until = std::chrono::steady_clock::now() + patience;
  std::vector<ListedSession> list = list_sessions(state, db);
  std::vector<std::string> outdated;
  for (const ListedSession& session : list) {
    if (session.outdated) {
      outdated.push_back(session.session.id);
    }
  }
  if (outdated.empty()) {
    return list;
  }
  session::count_in_background(state, outdated);
  while (std::any_of(list.begin(), list.end(), is_waited_for) &&
         std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(kPause);
    for (ListedSession& session : list) {
      if (is_waited_for(session)) {
        session = look_at_session(state, db, std::move(session.session));
      }
    }
  }
  return list;
}

}  // namespace shadow::status
