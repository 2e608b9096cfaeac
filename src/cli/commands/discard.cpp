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

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

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

// Names the commits that would be lost: no list of changed files has them.
std::string with_commits(const workspace::Project& project, const SessionRecord& session) {
  const std::string commits = commits_in_words(project.commits_of(session));
  return commits.empty() ? commits : fmt::format(" with {} that the project has not", commits);
}

// Apart as status has them apart: "2 changes, 1 ignored path and 9 paths in git directories".
std::string in_words(const std::vector<ReviewItem>& items, std::string_view place) {
  if (items.size() == 1) {
    return "the change of " + shadow::quoted(relative_path(items.front().change.path, place));
  }
  const auto count = [&items](Standing standing) {
    return static_cast<std::size_t>(
        std::count_if(items.begin(), items.end(),
                      [standing](const ReviewItem& item) { return item.standing == standing; }));
  };
  const std::size_t normal = count(Standing::Normal);
  const std::size_t ignored = count(Standing::Ignored);
  const std::size_t git = count(Standing::GitDir);
  std::string words = normal == 0 ? "" : plural(normal, "change");
  if (ignored != 0) {
    words += (words.empty() ? "" : git == 0 ? " and " : ", ") + plural(ignored, "ignored path");
  }
  if (git != 0) {
    words += (words.empty() ? "" : " and ") + plural(git, "path") + " in git directories";
  }
  return words;
}

bool takes_own_git(const std::vector<ReviewItem>& items) {
  return std::any_of(items.begin(), items.end(), [](const ReviewItem& item) {
    return is_at_or_below(item.change.path, ".git");
  });
}

ExitCode discard_selected(const DiscardOptions& options, const workspace::Project& project,
                          Context& context) {
  const workspace::Review review = context.open();
  const workspace::DiscardPlan plan =
      review.plan_discard(workspace::Paths::matching(options.paths));
  const std::vector<ReviewItem>& items = plan.items();
  const std::string what = in_words(items, review.place());
  const std::string lost = !options.yes && takes_own_git(items)
                               ? with_commits(project, review.session())
                               : std::string{};
  if (!items.empty() && !agreed(options, what + lost)) {
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
             : discard_selected(options, project, context);
}

}  // namespace shadow::cli
