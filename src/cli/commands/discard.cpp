// SPDX-License-Identifier: MIT
#include "discard/discard.hpp"

#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "changes/lines.hpp"
#include "changes/selection_match.hpp"
#include "cli/commands/review.hpp"
#include "cli/output/parts.hpp"
#include "cli/render/commits.hpp"
#include "cli/render/item.hpp"
#include "cli/render/plural.hpp"
#include "cli/render/status.hpp"
#include "cli/terminal/question.hpp"
#include "cli/terminal/terminal.hpp"
#include "commits/refs/session_git.hpp"
#include "commits/show/session_commits.hpp"
#include "session/directory/idle.hpp"
#include "session/directory/recovery.hpp"
#include "session/directory/remove_session.hpp"
#include "session/project/place.hpp"
#include "upkeep/open_review.hpp"

#include <fmt/format.h>

namespace shadow::cli {

namespace {

// Throws, or returns whether to go on.
bool agreed(const DiscardOptions& options, const std::string& what) {
  if (options.yes) {
    return true;
  }
  if (!can_ask()) {
    throw Error{fmt::format("cannot discard {}: nobody to ask", what), "say --yes",
                ExitCode::Refused};
  }
  if (confirmed(fmt::format("Discard {}?", what))) {
    return true;
  }
  print_note("nothing was discarded");
  return false;
}

session::LiveRuns live_of(const DiscardOptions& options) {
  return options.kill ? session::LiveRuns::Kill : session::LiveRuns::Refuse;
}

void tell(Context& context, const std::string& what, std::uint64_t count) {
  if (context.global.json) {
    Json top;
    top["discarded"] = count;
    context.print(top);
  } else {
    context.out.write(fmt::format("discarded {}\n", what));
  }
}

ExitCode discard_selected(const DiscardOptions& options, const session::Selection& selection,
                          const session::ReviewSession& session, Context& context) {
  const ReviewSet set = discard::review_to_discard(session, selection);
  const auto items = changes::worth_a_line(discard::selected_of(set, selection));
  const std::string what =
      items.size() == 1
          ? "the change of " + shadow::quoted(relative_path(items.front().change.path,
                                                            session::place_in(session.project)))
          : fmt::format("{} changes", items.size());
  if (!items.empty() && !agreed(options, what)) {
    return ExitCode::No;
  }
  discard::discard_paths(session, changes::paths_to_drop(selection, set), live_of(options));
  tell(context, what, items.size());
  return ExitCode::Ok;
}

std::size_t count_taken(const std::vector<hunks::Pick>& picks) {
  std::size_t count = 0;
  for (const hunks::Pick& pick : picks) {
    for (const hunks::Part& part : pick.parts) {
      count += part.decision == hunks::Decision::Taken ? 1 : 0;
    }
  }
  return count;
}

ExitCode discard_by_parts(const DiscardOptions& options, Context& context) {
  require_text(context);
  const session::ReviewSession session = context.open();
  const session::Selection selection{options.paths, session.project};
  if (options.kill) {
    discard::end_runs(session);
  }
  const std::vector<hunks::Offer> offers = discard::discard_offers(
      discard::selected_of(discard::review_to_discard(session, selection), selection));
  const auto picks = ask_parts_of(session, offers, hunks::PickFor::Discard, context);
  const std::size_t count = count_taken(picks);
  if (count == 0) {
    print_note("nothing was discarded");
    return offers.empty() ? ExitCode::Ok : ExitCode::No;
  }
  discard::discard_picked(session, picks);
  context.out.write("discarded " + plural(count, "part") + "\n");
  return ExitCode::Ok;
}

// Sessions are found and removed without being opened: one whose files or project are gone or
// replaced must be removable too.
std::vector<store::SessionRow> meant_sessions(const DiscardOptions& options, const StateDir& state,
                                              store::Database& db, const Context& context) {
  const Project project = find_project(state, context.global.directory);
  session::recover_project({state.path(), project.root, db}, print_note);
  if (options.all_sessions) {
    return store::sessions_of_project(db, project.root);
  }
  return {upkeep::choose_session(state, project, context.global.interlocutor, db)};
}

// What a person should know is lost with it: commits are in no list of changed files.
std::string with_commits(const StateDir& state, const store::SessionRow& row) {
  try {
    const auto session = session::open_as_it_is(state, row);
    const std::string commits = session ? commits_in_words(commits::session_commits(*session)) : "";
    return commits.empty() ? commits : fmt::format(" with {} that the project has not", commits);
  } catch (const Error&) {
    return {};  // what cannot be read must be removable too
  }
}

}  // namespace

ExitCode discard(const DiscardOptions& options, Context& context) {
  if (options.patch) {
    return discard_by_parts(options, context);
  }
  if (!options.paths.empty()) {
    const session::ReviewSession session = context.open();
    const session::Selection selection{options.paths, session.project};
    if (!selection.everything()) {
      return discard_selected(options, selection, session, context);
    }
  }
  const StateDir state = StateDir::open();
  store::Database db{state.database()};
  const auto rows = meant_sessions(options, state, db, context);
  const std::string what =
      rows.size() == 1 ? session_title(rows.front()) : fmt::format("{} sessions", rows.size());
  std::string lost;
  for (const store::SessionRow& row : options.yes ? std::vector<store::SessionRow>{} : rows) {
    lost += with_commits(state, row);
  }
  if (!rows.empty() && !agreed(options, what + lost)) {
    return ExitCode::No;
  }
  for (const store::SessionRow& row : rows) {
    session::discard_session(state, db, row, live_of(options));
  }
  tell(context, what, rows.size());
  context.out.flush();
  session::empty_trash_in_background(state);
  return ExitCode::Ok;
}

}  // namespace shadow::cli
