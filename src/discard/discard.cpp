// SPDX-License-Identifier: MIT
#include "discard/discard.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "bases/ledger/hidden_names.hpp"
#include "bases/ledger/renew_bases.hpp"
#include "bases/ledger/seen.hpp"
#include "bases/ledger/settle_refresh.hpp"
#include "changes/review_set.hpp"
#include "changes/selection_match.hpp"
#include "discard/left_copies.hpp"
#include "discard/live_discard.hpp"
#include "live/hold.hpp"
#include "overlay/format/look.hpp"
#include "overlay/write/lift.hpp"
#include "overlay/write/prune.hpp"
#include "refresh/emptied.hpp"
#include "session/directory/background.hpp"
#include "session/directory/idle.hpp"
#include "session/directory/live_runs.hpp"
#include "session/project/known_projects.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/shown.hpp"
#include "store/tables/tallies.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/lock.hpp"
#include "sys/processes/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iterator>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace shadow::discard {

namespace {

// A new directory of which nothing is left was there for what was dropped.
void drop_emptied_parents(const session::ReviewSession& session, std::string_view path) {
  for (path = sys::split_path(path).parent; !path.empty(); path = sys::split_path(path).parent) {
    const std::string directory{path};
    const sys::Fd upper =
        sys::try_open_beneath(session.upper.get(), directory, O_RDONLY | O_DIRECTORY);
    if (!upper || overlay::look_beneath(session.lower.get(), directory).exists() ||
        !sys::is_empty_dir(upper.get())) {
      return;
    }
    overlay::drop(session.upper.get(), session.lower.get(), directory);
  }
}

// Within a transaction.
void record_discard(const session::ReviewSession& session, const std::vector<std::string>& paths,
                    const std::vector<std::string>& copies) {
  bases::renew_bases(session, paths);
  bases::forget_gone(session, paths);
  for (const std::string& path : paths) {
    store::forget_shown_below(*session.db, session.row.id, path);
  }
  record_left_copies(session, copies);
  store::outdate_tally(*session.db, session.row.id, store::Touched::Anything);
}

void discard_idle(const session::ReviewSession& session, const std::vector<std::string>& paths) {
  bases::settle_refresh(session);
  overlay::require_way(session.upper.get(), session.lower.get(), paths);
  bases::note_renewals(session, paths);
  const std::vector<std::string> copies = left_copies(session, paths);
  const overlay::StaysHidden stays_hidden =
      bases::hidden_by_session(*session.db, session.dir, session.lower.get());
  for (const std::string& path : paths) {
    overlay::drop(session.upper.get(), session.lower.get(), path, stays_hidden);
    drop_emptied_parents(session, path);
  }
  (void)refresh::remove_emptied(session, nullptr, {paths.begin(), paths.end()});
  bases::record_renewals(session, [&] { record_discard(session, paths, copies); });
}

void restore_live(const session::ReviewSession& session, const live::HeldSession& held,
                  const std::vector<std::string>& paths) {
  const std::vector<std::string> copies = left_copies(session, paths);
  constexpr int kAttempts = 5;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    live::ViewEdit edit{held.trees(session)};
    restore_in_view(edit, session, paths);
    store::Transaction transaction{*session.db};
    record_discard(session, paths, copies);
    if (record_copies(session, edit)) {
      transaction.commit();
      return;
    }
  }
  throw StaleError{"cannot discard " + quoted(paths.front()) + ": the project changes all the time",
                   "try again", ExitCode::Refused};
}

// What a run has open for writing stays; gives the refusal of that once the rest is done.
std::optional<Error> discard_live(const session::ReviewSession& session,
                                  const live::HeldSession& held,
                                  const std::vector<std::string>& paths) {
  const live::BeingWritten busy = held.view->being_written(session.dir, paths);
  std::vector<std::string> others;
  std::copy_if(paths.begin(), paths.end(), std::back_inserter(others),
               [&busy](const std::string& path) { return busy.paths.count(path) == 0; });
  if (!others.empty()) {
    overlay::require_way(session.upper.get(), session.lower.get(), others);
    restore_live(session, held, others);
  }
  if (busy.paths.empty()) {
    return std::nullopt;
  }
  return busy.refusal("discard " + quoted(*busy.paths.begin()),
                      others.empty() ? "try again when it is closed"
                                     : "all else is discarded; try again when it is closed");
}

}  // namespace

ReviewSet review_to_discard(const session::ReviewSession& session,
                            const session::Selection& selection) {
  ReviewSet set = changes::review_changes(
      session, selection.is_plain() ? selection : session::Selection{}, changes::WalkGitDirs::Yes);
  changes::require_matches(session, selection, set);
  return set;
}

std::vector<ReviewItem> selected_of(const ReviewSet& set, const session::Selection& selection) {
  std::vector<ReviewItem> selected;
  std::copy_if(set.items.begin(), set.items.end(), std::back_inserter(selected),
               [&](const ReviewItem& item) { return selection.selects(item.change.path); });
  return selected;
}

void discard_paths(const session::ReviewSession& session, const std::vector<std::string>& paths,
                   session::LiveRuns live) {
  if (paths.empty()) {
    return;
  }
  const live::HeldSession held =
      live::hold_session(session, "discard " + quoted(paths.front()), live);
  std::optional<Error> refused;
  if (held.live()) {
    refused = discard_live(session, held, paths);
  } else {
    discard_idle(session, paths);
  }
  session::keep_bases_in_background(session.dir);
  if (refused) {
    throw Error{*refused};
  }
}

}  // namespace shadow::discard
