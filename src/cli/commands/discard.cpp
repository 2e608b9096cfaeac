// SPDX-License-Identifier: MIT
#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "cli/commands/review.hpp"
#include "cli/output/parts.hpp"
#include "cli/render/commits.hpp"
#include "cli/render/item.hpp"
#include "cli/render/plural.hpp"
#include "cli/render/status.hpp"
#include "cli/terminal/question.hpp"
#include "cli/terminal/terminal.hpp"

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

workspace::LiveRuns live_of(const DiscardOptions& options) {
  return options.kill ? workspace::LiveRuns::End : workspace::LiveRuns::Refuse;
}

void tell(Context& context, const std::string& what, std::uint64_t count) {
  if (context.global.json) {
    Json top;
    top["discarded"] = count;
    context.print(top);
  } else {
    context.out.write(count == 0 ? "nothing to discard\n" : fmt::format("discarded {}\n", what));
  }
}

ExitCode discard_selected(const DiscardOptions& options, Context& context) {
  const workspace::Review review = context.open();
  const workspace::DiscardPlan plan =
      review.plan_discard(workspace::Paths::matching(options.paths));
  const std::vector<ReviewItem>& items = plan.items();
  const std::string what = items.size() == 1
                               ? "the change of " + shadow::quoted(relative_path(
                                                        items.front().change.path, review.place()))
                               : fmt::format("{} changes", items.size());
  if (!items.empty() && !agreed(options, what)) {
    return ExitCode::No;
  }
  plan.execute(live_of(options));
  tell(context, what, items.size());
  return ExitCode::Ok;
}

std::size_t count_taken(const std::vector<DecidedParts>& decided) {
  std::size_t count = 0;
  for (const DecidedParts& one : decided) {
    for (const Part& part : one.parts) {
      count += part.decision == Decision::Taken ? 1 : 0;
    }
  }
  return count;
}

ExitCode discard_by_parts(const DiscardOptions& options, Context& context) {
  require_text(context);
  const workspace::Review review = context.open();
  if (options.kill) {
    review.end_runs();
  }
  const workspace::DiscardParts parts =
      review.parts_to_discard(workspace::Paths::matching(options.paths));
  const auto decided = ask_about(parts, PickFor::Discard, review.place(), context);
  const std::size_t count = count_taken(decided);
  if (count == 0) {
    print_note("nothing was discarded");
    return parts.size() == 0 ? ExitCode::Ok : ExitCode::No;
  }
  parts.discard(decided);
  context.out.write("discarded " + plural(count, "part") + "\n");
  return ExitCode::Ok;
}

// Names the commits that would be lost: no list of changed files has them.
std::string with_commits(const workspace::Project& project, const SessionRecord& session) {
  const std::string commits = commits_in_words(project.commits_of(session));
  return commits.empty() ? commits : fmt::format(" with {} that the project has not", commits);
}

ExitCode discard_sessions(const DiscardOptions& options, const workspace::Project& project,
                          Context& context) {
  const std::vector<SessionRecord> sessions =
      options.all_sessions ? project.sessions()
                           : std::vector{project.find_session(context.global.agent)};
  const std::string what = sessions.size() == 1 ? session_title(sessions.front())
                                                : fmt::format("{} sessions", sessions.size());
  std::string lost;
  for (const SessionRecord& session : options.yes ? std::vector<SessionRecord>{} : sessions) {
    lost += with_commits(project, session);
  }
  if (!sessions.empty() && !agreed(options, what + lost)) {
    return ExitCode::No;
  }
  project.discard(sessions, live_of(options));
  tell(context, what, sessions.size());
  return ExitCode::Ok;
}

}  // namespace

ExitCode discard(const DiscardOptions& options, Context& context) {
  if (options.patch) {
    return discard_by_parts(options, context);
  }
  if (options.all_sessions && context.global.agent) {
    throw Error{"cannot discard all sessions of one agent",
                "give --as NAME, or --all-sessions, not both"};
  }
  const workspace::Project project = context.project();
  return project.is_whole(workspace::Paths::matching(options.paths))
             ? discard_sessions(options, project, context)
             : discard_selected(options, context);
}

}  // namespace shadow::cli
