// SPDX-License-Identifier: MIT
#include "upkeep/clean_up.hpp"

#include "shadow/error.hpp"

#include "bases/ledger/applied.hpp"
#include "changes/ignore_set.hpp"
#include "changes/review_set.hpp"
#include "commits/move/commit_promote.hpp"
#include "commits/move/commit_prune.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/view.hpp"
#include "session/directory/background.hpp"
#include "session/directory/idle.hpp"
#include "session/directory/live_runs.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/placed_copies.hpp"
#include "store/tables/sessions.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace shadow::upkeep {

namespace {

// So many paths take less time than to start a process for them.
constexpr std::size_t kFew = 50;

// What git ignores stays where the times are all that a run changed: who builds goes by these.
void keep_built(const session::ReviewSession& session) {
  std::optional<git::IgnoreRules> rules;
  const overlay::View view{session.upper.get(), session.lower.get()};
  for (const auto& [path, copy] : store::placed_copies(*session.db, session.row.id)) {
    const Entry real = overlay::look_beneath(session.lower.get(), path);
    const bool only_times = copy.own.kind == EntryKind::File &&
                            copy.real_ctime_ns == real.ctime_ns &&
                            copy.own.mtime_ns != real.mtime_ns;
    if (!only_times) {
      continue;
    }
    if (!rules) {
      rules.emplace(changes::make_ignore_rules(view, session.project.root));
    }
    if (rules->ignored(path, false)) {
      store::delete_pending_prune(*session.db, session.row.id, path);
    }
  }
}

// Where the session has moved on what was applied, and the project has deleted it: that the new
// name is in conflict rests on the deletion of the old one.
void keep_moved(const session::ReviewSession& session, const std::vector<std::string>& pending) {
  const auto is_later_deletion = [&session](const std::string& path) {
    // The database is asked last: most of what was applied is there.
    if (!overlay::is_whiteout(overlay::look_beneath(session.upper.get(), path)) ||
        overlay::look_beneath(session.lower.get(), path).exists()) {
      return false;
    }
    const auto base = store::find_base(*session.db, session.row.id, path);
    return base && !base->is_absent();
  };
  if (std::none_of(pending.begin(), pending.end(), is_later_deletion)) {
    return;
  }
  const ReviewSet set =
      changes::review_changes(session, session::Selection{}, changes::WalkGitDirs::No);
  for (const std::string& path : set.moved_gone) {
    store::delete_pending_prune(*session.db, session.row.id, path);
  }
}

}  // namespace

void prune(const session::ReviewSession& session) {
  const std::vector<std::string> pending = store::pending_prunes(*session.db, session.row.id);
  keep_built(session);
  keep_moved(session, pending);
  bases::take_out_applied(session);
  if (std::find(pending.begin(), pending.end(), ".git") != pending.end()) {
    commits::drop_promoted(session);
  }
}

void keep_texts(const session::ReviewSession& session, std::size_t paths) {
  if (paths <= kFew) {
    bases::keep_applied_texts(session);
    return;
  }
  try {
    session::keep_bases_in_background(session.dir);
  } catch (const Error&) {
    return;  // no process to be had: the clean-up of the next apply sees to it
  }
}

bool clean_up(const session::ReviewSession& session, std::size_t paths) {
  const auto idle = session::try_idle(session.dir);
  if (idle && paths > kFew) {
    try {
      session::clean_up_in_background(session.dir, idle->lock.fd(), idle->idle.fd());
    } catch (const Error&) {
      return true;  // no process to be had: the apply is done, and the next command tries again
    }
    return true;
  }
  if (idle) {
    prune(session);
  }
  bases::keep_applied_texts(session);
  return idle.has_value();
}

void run_clean_up(const StateDir& state, const std::string& session) {
  store::Database db{state.database()};
  const auto row = store::find_session(db, session);
  const auto opened = row ? session::open_with_its_project(state, *row) : std::nullopt;
  if (opened) {
    prune(*opened);
    bases::keep_applied_texts(*opened);
  }
  db.checkpoint();  // what an apply of many paths wrote would be read by each command that follows
}

}  // namespace shadow::upkeep
