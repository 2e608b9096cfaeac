// SPDX-License-Identifier: MIT
#include "status/listing.hpp"

#include "shadow/error.hpp"

#include "changes/lines.hpp"
#include "changes/review_set.hpp"
#include "session/live_runs.hpp"
#include "status/status.hpp"
#include "upkeep/replaced.hpp"

#include <algorithm>
#include <utility>

namespace shadow {

namespace {

// Files and what else is worth a line, ignored ones left out.
std::uint64_t count_changes(const ReviewSession& session) {
  ReviewSet set = review_changes(session, Selection{}, WalkGitDirs::No);
  set.items.erase(
      std::remove_if(set.items.begin(), set.items.end(),
                     [](const ReviewItem& item) { return item.standing != Standing::Normal; }),
      set.items.end());
  return worth_a_line(set.items).size();
}

ListedSession look_at_session(const StateDir& state, store::SessionRow row) {
  ListedSession listed;
  listed.row = std::move(row);
  const auto dir = SessionDir::find(state, listed.row.id);
  if (!dir) {
    return listed;
  }
  listed.live = has_live_runs(*dir);
  listed.bytes = layer_bytes(*dir, "project");
  listed.home_bytes = layer_bytes(*dir, "home");
  const auto session = open_as_it_is(state, listed.row);
  listed.project_missing = !session;
  listed.project_replaced = is_replaced(*dir, listed.row.project);
  if (session) {
    try {
      listed.changed = count_changes(*session);
    } catch (const Error&) {
      // One session that cannot be read must not hide the others; its count is shown as unknown.
      listed.changed.reset();
    }
  }
  return listed;
}

}  // namespace

std::vector<ListedSession> list_sessions(const StateDir& state, store::Database& db) {
  std::vector<ListedSession> list;
  for (store::SessionRow& row : store::all_sessions(db)) {
    list.push_back(look_at_session(state, std::move(row)));
  }
  return list;
}

}  // namespace shadow
