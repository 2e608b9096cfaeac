// SPDX-License-Identifier: MIT
#include "status/log.hpp"

#include "changes/selection_match.hpp"
#include "session/directory/run_lifecycle.hpp"
#include "session/selection/selection.hpp"
#include "status/live_changes.hpp"
#include "store/tables/runs.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace shadow::status {

namespace {

std::vector<std::string> changed_by(store::Database& db, std::int64_t run) {
  std::vector<std::string> paths;
  for (RunChange& change : store::changes_of_run(db, run)) {
    paths.push_back(std::move(change.path));
  }
  return paths;
}

// The database knows paths and what is below them; for all else each run is asked.
std::vector<store::RunRow> runs_matching(const session::ReviewSession& session,
                                         const session::Selection& selection,
                                         const session::Pathspec& spec) {
  const std::string below{spec.is_plain() ? spec.path() : std::string{}};
  auto runs = store::runs_touching(*session.db, session.row.id, below);
  if (selection.is_plain()) {
    return runs;
  }
  std::erase_if(runs, [&](const store::RunRow& run) {
    const auto paths = changed_by(*session.db, run.id);
    return std::none_of(paths.begin(), paths.end(), [&](const std::string& path) {
      return spec.matches(path) && selection.selects(path);
    });
  });
  return runs;
}

[[noreturn]] void refuse(const session::ReviewSession& session,
                         const std::vector<LiveChanges>& live,
                         const std::vector<const session::Pathspec*>& unmatched) {
  std::set<std::string> known;
  for (const LiveChanges& run : live) {
    for (const RunChange& change : run.changes) {
      known.insert(change.path);
    }
  }
  for (const store::RunRow& run : store::runs_of_session(*session.db, session.row.id, 0)) {
    const auto paths = changed_by(*session.db, run.id);
    known.insert(paths.begin(), paths.end());
  }
  changes::refuse_unmatched(session.project, "no run changed anything", unmatched,
                            {known.begin(), known.end()});
}

void add_live(const std::vector<LiveChanges>& live, const session::Selection& selection,
              const session::Pathspec& spec, std::vector<store::RunRow>& runs) {
  for (const LiveChanges& run : live) {
    if (std::any_of(run.changes.begin(), run.changes.end(), [&](const RunChange& change) {
          return spec.matches(change.path) && selection.selects(change.path);
        })) {
      runs.push_back(run.run);
    }
  }
}

// By number, newest first; a run that touched several of the paths once.
std::vector<store::RunRow> runs_of(const session::ReviewSession& session,
                                   const std::vector<LiveChanges>& live,
                                   const std::vector<std::string>& arguments) {
  session::Selection selection{arguments, session.project};
  if (selection.everything()) {
    return store::runs_of_session(*session.db, session.row.id, 0);
  }
  if (selection.wanted().empty()) {
    std::vector<std::string> with_root = arguments;
    with_root.emplace_back(":/");
    selection = session::Selection{with_root, session.project};
  }
  std::map<std::int64_t, store::RunRow, std::greater<>> found;
  std::vector<const session::Pathspec*> unmatched;
  for (const session::Pathspec& spec : selection.wanted()) {
    auto runs = runs_matching(session, selection, spec);
    add_live(live, selection, spec, runs);
    if (runs.empty() && !spec.is_root()) {
      unmatched.push_back(&spec);
    }
    for (store::RunRow& run : runs) {
      found.emplace(run.id, std::move(run));
    }
  }
  if (!unmatched.empty()) {
    refuse(session, live, unmatched);
  }
  std::vector<store::RunRow> runs;
  runs.reserve(found.size());
  for (auto& [id, run] : found) {
    runs.push_back(std::move(run));
  }
  return runs;
}

LoggedRun logged(store::Database& db, store::RunRow run) {
  LoggedRun logged;
  logged.live = session::is_live(run);
  logged.files = store::count_changes_of_run(db, run.id);
  logged.run = std::move(run);
  return logged;
}

// Changes of the selected paths by this run or by another one. Those of a live run are not recorded
// yet.
std::vector<RunChange> unsure_changes(store::Database& db, const std::vector<LiveChanges>& live,
                                      std::int64_t run, const session::Selection& selection) {
  auto changes = store::changes_of_run(db, run);
  for (const LiveChanges& other : live) {
    if (other.run.id == run) {
      changes.insert(changes.end(), other.changes.begin(), other.changes.end());
    }
  }
  std::erase_if(changes, [&selection](const RunChange& change) {
    return !change.among || !selection.selects(change.path);
  });
  return changes;
}

}  // namespace

std::vector<LoggedRun> list_runs(const session::ReviewSession& session,
                                 const std::vector<std::string>& arguments) {
  const session::Selection selection{arguments, session.project};
  const std::vector<LiveChanges> live =
      selection.everything() ? std::vector<LiveChanges>{} : live_changes(session);
  std::vector<LoggedRun> runs;
  for (store::RunRow& row : runs_of(session, live, arguments)) {
    LoggedRun run = logged(*session.db, std::move(row));
    if (!selection.everything()) {
      run.unsure = unsure_changes(*session.db, live, run.run.id, selection);
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

std::optional<ShownRun> show_run(store::Database& db, std::int64_t id) {
  auto row = store::find_run(db, id);
  if (!row) {
    return std::nullopt;
  }
  return ShownRun{logged(db, std::move(*row)), store::changes_of_run(db, id)};
}

}  // namespace shadow::status
