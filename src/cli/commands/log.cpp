// SPDX-License-Identifier: MIT
// `log` and `show`.

#include "changes/selection_match.hpp"
#include "cli/commands/review.hpp"
#include "cli/output/commit_output.hpp"
#include "cli/render/commits.hpp"
#include "cli/render/runs.hpp"
#include "commits/show/session_commits.hpp"
#include "session/project/place.hpp"
#include "session/selection/selection.hpp"
#include "upkeep/open_review.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace shadow::cli {

namespace {

std::vector<std::string> changed_by(store::Database& db, std::int64_t run) {
  std::vector<std::string> paths;
  for (store::RunChange& change : store::changes_of_run(db, run)) {
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
                         const std::vector<const session::Pathspec*>& unmatched) {
  std::set<std::string> known;
  for (const store::RunRow& run : store::runs_of_session(*session.db, session.row.id, 0)) {
    const auto paths = changed_by(*session.db, run.id);
    known.insert(paths.begin(), paths.end());
  }
  changes::refuse_unmatched(session.project, "no run changed anything", unmatched,
                            {known.begin(), known.end()});
}

// By number, newest first; a run that touched several of the paths once.
std::vector<store::RunRow> runs_of(const session::ReviewSession& session,
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
    if (runs.empty() && !spec.is_root()) {
      unmatched.push_back(&spec);
    }
    for (store::RunRow& run : runs) {
      found.emplace(run.id, std::move(run));
    }
  }
  if (!unmatched.empty()) {
    refuse(session, unmatched);
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

// What the run may have done to the selected paths, or another.
std::vector<store::RunChange> unsure_changes(store::Database& db, std::int64_t run,
                                             const session::Selection& selection) {
  auto changes = store::changes_of_run(db, run);
  std::erase_if(changes, [&selection](const store::RunChange& change) {
    return !change.among || !selection.selects(change.path);
  });
  return changes;
}

ExitCode show_commit(const ShowOptions& options, Context& context) {
  const session::ReviewSession session = context.open();
  const auto git = commits::find_session_git(session);
  const auto found =
      git ? commits::find_new_commit(commits::session_commits(session), options.commit)
          : std::nullopt;
  if (!found) {
    const char* what = options.run ? "run or commit" : "commit";
    throw Error{fmt::format("cannot find a {} {} of the session", what, options.commit),
                "'shadow log' lists the runs, 'shadow diff --commits' the commits"};
  }
  if (!context.global.json) {
    print_commits(*git, {*found}, {}, context.color, context.out);
    return ExitCode::Ok;
  }
  Json top;
  top["commit"] = to_json(*found);
  std::string text;
  write_patch(commits::patch_of_commit(*git, found->commit.id), {},
              [&text](PatchPart, std::string_view piece) { text += piece; });
  set_bytes(top, "patch", text);
  context.print(top);
  return ExitCode::Ok;
}

}  // namespace

ExitCode log(const LogOptions& options, Context& context) {
  const session::ReviewSession session = context.open();
  const session::Selection selection{options.paths, session.project};
  for (store::RunRow& row : runs_of(session, options.paths)) {
    LoggedRun run = logged(*session.db, std::move(row));
    if (!selection.everything()) {
      run.unsure = unsure_changes(*session.db, run.run.id, selection);
    }
    if (context.global.json) {
      context.print(run_json(run));  // a line each, as log shippers read them
    } else {
      context.out.write(log_line(run));
    }
  }
  return ExitCode::Ok;
}

ExitCode show(const ShowOptions& options, Context& context) {
  const StateDir state = StateDir::open();
  store::Database db{state.database()};
  const Project project = find_project(state, context.global.directory);
  upkeep::settle_project(state, project, db, print_note);
  auto row = options.run ? store::find_run(db, *options.run) : std::nullopt;
  if (!row && !options.commit.empty()) {
    return show_commit(options, context);
  }
  if (!row) {
    throw Error{fmt::format("cannot find run {}", options.run.value_or(0)),
                "'shadow log' lists the runs"};
  }
  const std::int64_t row_id = row->id;
  const LoggedRun run = logged(db, std::move(*row));
  const auto changes = store::changes_of_run(db, row_id);
  if (!context.global.json) {
    context.out.write(show_text(run, changes, session::place_in(project)));
    return ExitCode::Ok;
  }
  Json top;
  top["run"] = run_json(run);
  top["changes"] = Json::array();
  for (const store::RunChange& change : changes) {
    Json item;
    set_bytes(item, "path", change.path);
    item["what"] = change.what;
    if (change.among) {
      item["among"] = among_json(*change.among);
    }
    top["changes"].push_back(std::move(item));
  }
  context.print(top);
  return ExitCode::Ok;
}

}  // namespace shadow::cli
