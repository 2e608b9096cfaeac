// SPDX-License-Identifier: MIT
#include "upkeep/open_review.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "bases/capture/base_text.hpp"
#include "bases/ledger/ledger.hpp"
#include "bases/ledger/parked.hpp"
#include "bases/ledger/settle_refresh.hpp"
#include "bases/tree/await_base_tree.hpp"
#include "bases/tree/base_tree.hpp"
#include "live/hold.hpp"
#include "policy/config_file.hpp"
#include "session/directory/background.hpp"
#include "session/directory/idle.hpp"
#include "session/directory/recovery.hpp"
#include "session/directory/run_lifecycle.hpp"
#include "session/directory/run_spool.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/runs.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/identity.hpp"
#include "sys/files/lock.hpp"
#include "sys/processes/process.hpp"
#include "upkeep/clean_up.hpp"
#include "upkeep/give_back_live.hpp"
#include "upkeep/replaced.hpp"
#include "upkeep/session_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

namespace shadow::upkeep {

namespace {

constexpr std::chrono::seconds kTreePatience{10};

// One look at one directory: an upper with nothing in it has no changes.
bool has_entries(const StateDir& state, const std::string& id) {
  const auto dir = session::SessionDir::find(state, id);
  if (!dir) {
    return false;
  }
  const sys::Fd upper =
      sys::try_open_at(dir->fd(), "project/upper", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  return upper && !sys::is_empty_dir(upper.get());
}

std::string names_of(const std::vector<store::SessionRow>& rows) {
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (const store::SessionRow& row : rows) {
    names.push_back(quoted(row.agent));
  }
  return join(names, ", ");
}

void check_root(const session::SessionDir& dir, const sys::Fd& lower, const std::string& root) {
  const auto facts = dir.read_facts();
  if (facts && !session::same_directory(facts->identity, sys::identify(lower.get()))) {
    throw Error{fmt::format("cannot review the session of {}: the project's directory was replaced "
                            "by another one since the session began",
                            quoted(root)),
                advice_on_replaced(dir)};
  }
}

// By the words of the command, the environment or the configuration.
std::optional<std::string> agent_asked_for(const StateDir& state, const Project& project,
                                           const std::optional<std::string>& as) {
  if (auto name = named_agent(as)) {
    return name;
  }
  return policy::load_config(
             {sys::environment("HOME").value_or(""), state.path(), project.root, project.cwd})
      .agent;
}

// Drops the empty sessions of a project that was removed and made anew.
void drop_all_replaced(const StateDir& state, const Project& project, store::Database& db) {
  for (const store::SessionRow& row : store::sessions_of_project(db, project.root)) {
    (void)drop_replaced(state, db, row);
  }
}

// Without it, what the user changed would be a conflict that will be none in a moment.
void await_first_state(const session::SessionDir& dir, int upper, const NoteSink& note) {
  if (bases::has_base_tree(dir.fd()) || sys::is_empty_dir(upper)) {
    return;
  }
  const bool there = bases::await_base_tree(dir, kTreePatience, [&note] {
    note("waiting until it is recorded what the project's files were when the session began");
  });
  if (!there) {
    note(
        "what the project's files were is not recorded yet: what you changed since may be shown "
        "as a conflict that is none");
  }
}

// What follows the project for the runs may have been killed: alone, where memory was short. From
// the namespace of a review's own nothing can join theirs.
void tell_if_unfollowed(const session::ReviewSession& session, const NoteSink& note) {
  constexpr std::int64_t kFollowedByThenNs = 3'000'000'000;
  const std::int64_t now_ns = sys::now_ns();
  const std::vector<store::RunRow> runs = store::unended_runs(*session.db, session.row.id);
  const bool should_be = std::any_of(runs.begin(), runs.end(), [now_ns](const store::RunRow& run) {
    return run.started_ns < now_ns - kFollowedByThenNs && session::is_live(run);
  });
  if (should_be && session::try_lock_following(session.dir)) {
    note(
        "the runs that go on do not see what you change: the process that has them follow the "
        "project has ended; another run of two seconds starts it again");
  }
}

}  // namespace

store::SessionRow choose_session(const StateDir& state, const Project& project,
                                 const std::optional<std::string>& as, store::Database& db) {
  const char* list_hint = "'shadow list' shows all sessions";
  if (const auto name = agent_asked_for(state, project, as)) {
    auto row = find_session_or_its_files(state, db, {project.root, *name});
    if (!row) {
      throw NoSessionError{
          fmt::format("cannot find a session of {} in {}", quoted(*name), quoted(project.root)),
          list_hint};
    }
    return std::move(*row);
  }
  std::vector<store::SessionRow> rows = store::sessions_of_project(db, project.root);
  if (rows.empty()) {
    if (auto row = find_session_or_its_files(state, db, {project.root, kDefaultAgent})) {
      return std::move(*row);
    }
    throw NoSessionError{
        fmt::format("cannot find a session in {}: the project has none", quoted(project.root)),
        list_hint};
  }
  if (rows.size() > 1) {
    std::vector<store::SessionRow> changed;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(changed),
                 [&state](const store::SessionRow& row) { return has_entries(state, row.id); });
    if (changed.size() != 1) {
      const auto& meant = changed.empty() ? rows : changed;
      throw Error{fmt::format("cannot tell which session of {} is meant: there are {}",
                              quoted(project.root), names_of(meant)),
                  fmt::format("name one: --as {}", shell_quoted(meant.front().agent))};
    }
    return std::move(changed.front());
  }
  return std::move(rows.front());
}

std::optional<SessionRecord> choose_session_by_files(const StateDir& state, const Project& project,
                                                     const std::optional<std::string>& as) {
  SessionRecord session;
  session.project = project.root;
  session.agent = agent_asked_for(state, project, as).value_or(kDefaultAgent);
  session.id = session_id({session.project, session.agent});
  return session::SessionDir::find(state, session.id) ? std::optional{session} : std::nullopt;
}

void prune_when_idle(const session::ReviewSession& session) {
  if (store::pending_prunes(*session.db, session.row.id).empty() &&
      !bases::has_parked(session.dir)) {
    return;
  }
  if (const auto idle = session::try_idle(session.dir)) {
    bases::give_back_parked(session.dir, session.lower.get(), *session.db);
    prune(session);
  } else {
    (void)give_back_now(session);  // where there is anything
  }
}

session::ReviewSession open_review(const ReviewRequest& request, const NoteSink& note) {
  const StateDir state = StateDir::open();
  return open_review(state, find_project(state, request.directory), request.as, note);
}

session::ReviewSession open_review(const StateDir& state, const Project& project,
                                   const std::optional<std::string>& as, const NoteSink& note) {
  auto db = std::make_unique<store::Database>(state.database());
  session::recover_project({state.path(), project.root, *db}, note);
  drop_all_replaced(state, project, *db);
  store::SessionRow row = choose_session(state, project, as, *db);
  auto dir = session::SessionDir::find(state, row.id);
  if (!dir) {
    throw Error{fmt::format("cannot open the session of {}: its files are gone from the state",
                            quoted(row.agent)),
                "'shadow gc' removes what is left of it"};
  }
  sys::Fd upper = session::open_upper(*dir);
  sys::Fd lower = sys::open_path(project.root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  check_root(*dir, lower, project.root);
  session::ReviewSession session{state,         project,          std::move(row),  std::move(*dir),
                                 std::move(db), std::move(upper), std::move(lower)};
  await_first_state(session.dir, session.upper.get(), note);
  settle_session(session.state, session.dir, session.project.root, *session.db, note);
  bases::fetch_base_texts(session);
  bases::settle_old_refresh(session);
  live::remove_what_was_staged(session);
  prune_when_idle(session);
  tell_if_unfollowed(session, note);
  if (!session.row.note.empty()) {
    note(session.row.note);
  }
  return session;
}

void settle_session(const StateDir& state, const session::SessionDir& dir, const std::string& root,
                    store::Database& db, const NoteSink& note) {
  // Shared holders are runs that ended and are being recorded. A new one may come at any time, so
  // the lock is only waited for, not kept.
  if (!sys::lock_file_within(dir.fd(), session::kSettleLock, sys::LockMode::Exclusive,
                             session::kSettlePatience)) {
    note("the last runs are still being recorded; what they changed may be shown incompletely");
    return;
  }
  session::import_runs(dir, db);
  session::end_abandoned_runs(db, dir.id());
  bases::settle_runs(state, dir, root, db);
}

void settle_project(const StateDir& state, const Project& project, store::Database& db,
                    const NoteSink& note) {
  for (const store::SessionRow& row : store::sessions_of_project(db, project.root)) {
    if (const auto dir = session::SessionDir::find(state, row.id)) {
      settle_session(state, *dir, project.root, db, note);
    }
  }
}

}  // namespace shadow::upkeep
