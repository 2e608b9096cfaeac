// SPDX-License-Identifier: MIT
#include "upkeep/give_back_live.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "bases/ledger/copies.hpp"
#include "bases/ledger/parked.hpp"
#include "bases/ledger/seen.hpp"
#include "live/hold.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "store/tables/apply_bases.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/tallies.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <unistd.h>

namespace shadow::upkeep {

namespace {

std::vector<std::string> put_into_view(const session::ReviewSession& session,
                                       const live::HeldSession& held, int parked,
                                       const std::vector<std::string>& paths) {
  live::ViewEdit edit{held.trees(session)};
  const bases::Copies copies{session};
  std::vector<std::string> placed;
  const auto own = [&](const std::string& path) {
    return overlay::look_beneath(session.upper.get(), path);
  };
  const auto has = [&](const std::string& path) { return own(path).exists(); };
  // Those that the session has are its own, but for copies of the project's. Of the others some
  // come with a directory above them.
  std::copy_if(
      paths.begin(), paths.end(), std::back_inserter(placed),
      [&](const std::string& path) { return !has(path) || copies.is_copy(path, own(path)); });
  for (const std::string& path : placed) {
    (void)edit.take_over(parked, path, own(path));
    SHADOW_FAIL_POINT("parked-placed");
  }
  placed.erase(std::remove_if(placed.begin(), placed.end(), std::not_fn(has)), placed.end());
  if (::syncfs(session.upper.get()) != 0) {
    throw_errno("sync the session's changes");
  }
  return placed;
}

// Deletions in directories that were copied for the view: nothing of them can be put there.
std::vector<std::string> deleted_in_copies(const session::ReviewSession& session, int parked,
                                           const std::vector<std::string>& paths) {
  const bases::Copies copies{session};
  std::vector<std::string> deleted;
  std::copy_if(
      paths.begin(), paths.end(), std::back_inserter(deleted), [&](const std::string& path) {
        return overlay::is_whiteout(overlay::look_beneath(parked, path)) &&
               copies.came_later(path) && overlay::look_beneath(session.lower.get(), path).exists();
      });
  return deleted;
}

// The number of deletions that are there by a note alone.
std::size_t give_back_live(const session::ReviewSession& session, const live::HeldSession& held,
                           const std::vector<std::string>& paths) {
  const sys::Fd parked = bases::parking_place(session.dir, *session.db);
  const std::vector<std::string> placed = put_into_view(session, held, parked.get(), paths);
  const std::vector<std::string> deleted = deleted_in_copies(session, parked.get(), paths);
  store::Transaction transaction{*session.db};
  bases::note_placed(*session.db, session.row.id, session.upper.get(), placed);
  for (const std::string& path : placed) {
    store::delete_pending_prune(*session.db, session.row.id, path);
  }
  for (const std::string& path : deleted) {
    bases::note_deleted(session, path, overlay::look_beneath(session.lower.get(), path));
  }
  store::clear_give_backs(*session.db, session.row.id);
  store::outdate_tally(*session.db, session.row.id, store::Touched::Anything);
  transaction.commit();
  bases::give_back_parked(session.dir, session.lower.get(),
                          *session.db);  // nothing: the place goes
  return deleted.size();
}

}  // namespace

std::size_t give_back_now(const session::ReviewSession& session) {
  if (!bases::has_parked(session.dir)) {
    return 0;
  }
  try {
    const live::HeldSession held =
        live::hold_session(session, "give back what an undo took", session::LiveRuns::Refuse);
    const std::vector<std::string> paths = store::give_backs(*session.db, session.row.id);
    std::size_t there = 0;
    if (held.live()) {
      there += give_back_live(session, held, paths);
    } else {
      bases::give_back_parked(session.dir, session.lower.get(), *session.db);
    }
    for (const std::string& path : paths) {
      there += overlay::look_beneath(session.upper.get(), path).exists() ? 1U : 0U;
    }
    return there;
  } catch (const Error&) {
    return 0;  // it stays parked
  }
}

}  // namespace shadow::upkeep
