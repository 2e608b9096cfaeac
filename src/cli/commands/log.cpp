// SPDX-License-Identifier: MIT
// `log` and `show`.

#include "cli/commands/review.hpp"
#include "cli/commit_output.hpp"
#include "cli/render/commits.hpp"
#include "cli/render/runs.hpp"
#include "session/open_review.hpp"
#include "session/selection.hpp"
#include "session/session_commits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace shadow::cli {

namespace {

// By number, newest first; a run that touched several of the paths once.
std::vector<store::RunRow> runs_of(const ReviewSession& session, const Selection& selection) {
  if (selection.everything()) {
    return store::runs_of_session(*session.db, session.row.id, 0);
  }
  std::map<std::int64_t, store::RunRow, std::greater<>> found;
  for (const std::string& path : selection.paths()) {
    for (store::RunRow& run : store::runs_touching(*session.db, session.row.id, path)) {
      found.emplace(run.id, std::move(run));
    }
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
  logged.live = is_live(run);
  logged.files = store::count_changes_of_run(db, run.id);
  logged.run = std::move(run);
  return logged;
}

ExitCode show_commit(const ShowOptions& options, Context& context) {
  const ReviewSession session = context.open();
  const auto git = find_session_git(session);
  const auto found = git ? find_new_commit(session_commits(session), options.commit) : std::nullopt;
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
  write_patch(patch_of_commit(*git, found->commit.id), {},
              [&text](PatchPart, std::string_view piece) { text += piece; });
  set_bytes(top, "patch", text);
  context.print(top);
  return ExitCode::Ok;
}

}  // namespace

ExitCode log(const LogOptions& options, Context& context) {
  const ReviewSession session = context.open();
  for (store::RunRow& row : runs_of(session, Selection{options.paths, session.project})) {
    const LoggedRun run = logged(*session.db, std::move(row));
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
  settle_project(state, find_project(state, context.global.directory), db, print_note);
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
    context.out.write(show_text(run, changes));
    return ExitCode::Ok;
  }
  Json top;
  top["run"] = run_json(run);
  top["changes"] = Json::array();
  for (const store::RunChange& change : changes) {
    Json item;
    set_bytes(item, "path", change.path);
    item["what"] = change.what;
    top["changes"].push_back(std::move(item));
  }
  context.print(top);
  return ExitCode::Ok;
}

}  // namespace shadow::cli
