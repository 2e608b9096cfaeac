// SPDX-License-Identifier: MIT
// `log` and `show`.

#include "cli/commands/review.hpp"
#include "cli/output/commit_output.hpp"
#include "cli/render/commits.hpp"
#include "cli/render/runs.hpp"

#include <fmt/format.h>

#include <optional>

namespace shadow::cli {

namespace {

ExitCode show_commit(const ShowOptions& options, Context& context) {
  const workspace::Review review = context.open();
  std::vector<workspace::Commits> places =
      review.commits_of_new_repositories(workspace::ListedCommits::All);
  places.insert(places.begin(), review.commits(workspace::ListedCommits::All));
  const workspace::Commits* commits = nullptr;
  std::optional<NewCommit> found;
  for (const workspace::Commits& one : places) {
    if (!found && one.readable()) {
      found = one.find(options.commit);
      commits = &one;
    }
  }
  if (!found) {
    const char* what = options.run ? "run or commit" : "commit";
    throw Error{fmt::format("cannot find a {} {} of the session", what, options.commit),
                "'shadow log' lists the runs, 'shadow diff --commits' the commits"};
  }
  if (!context.global.json) {
    print_commits(*commits, {*found}, {}, context.color, context.out);
    return ExitCode::Ok;
  }
  Json top;
  top["commit"] = to_json(*found);
  std::string text;
  commits->write_patch(found->commit.id, {},
                       [&text](PatchPart, std::string_view piece) { text += piece; });
  set_bytes(top, "patch", text);
  context.print(top);
  return ExitCode::Ok;
}

}  // namespace

ExitCode log(const LogOptions& options, Context& context) {
  for (const LoggedRun& run : context.open().runs(workspace::Paths::matching(options.paths))) {
    if (context.global.json) {
      context.print(run_json(run));  // a line each, as log shippers read them
    } else {
      context.out.write(log_line(run));
    }
  }
  return ExitCode::Ok;
}

ExitCode show(const ShowOptions& options, Context& context) {
  const workspace::Project project = context.project();
  const auto shown = options.run ? project.find_run(*options.run) : std::nullopt;
  if (!shown && !options.commit.empty()) {
    return show_commit(options, context);
  }
  if (!shown) {
    throw Error{fmt::format("cannot find run {}", options.run.value_or(0)),
                "'shadow log' lists the runs"};
  }
  if (context.global.json) {
    context.print(show_json(*shown));
  } else {
    context.out.write(show_text(*shown, project.place()));
  }
  return ExitCode::Ok;
}

}  // namespace shadow::cli
