// SPDX-License-Identifier: MIT
#include "apply/shown/shown_refs.hpp"
#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "changes/patch_files.hpp"
#include "changes/review_set.hpp"
#include "changes/selection_match.hpp"
#include "cli/commands/review.hpp"
#include "cli/output/commit_output.hpp"
#include "cli/output/patch_output.hpp"
#include "cli/render/commits.hpp"
#include "cli/render/item.hpp"
#include "cli/render/summary.hpp"
#include "cli/terminal/environment.hpp"
#include "cli/terminal/pager.hpp"
#include "cli/terminal/terminal.hpp"
#include "commits/refs/session_git.hpp"
#include "commits/show/session_commits.hpp"
#include "policy/config_file.hpp"
#include "session/project/place.hpp"
#include "session/selection/selection.hpp"
#include "status/status.hpp"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace shadow::cli {

namespace {

PatchOptions patch_options(const DiffOptions& options) {
  PatchOptions patch;
  patch.binary = options.binary;
  patch.context_lines = options.context_lines;
  if (options.all_renames) {
    patch.max_similar_pairs = std::numeric_limits<std::size_t>::max();
  }
  return patch;
}

std::string summary_text(const std::vector<PatchFile>& files, const DiffOptions& options,
                         std::string_view place, const SummaryStyle& style) {
  const bool names =
      options.format == DiffFormat::NameOnly || options.format == DiffFormat::NameStatus;
  auto rows = summarize(files, patch_options(options), names ? CountLines::No : CountLines::Yes);
  for (FileSummary& row : rows) {
    row.path = relative_path(row.path, place);
    row.old_path = row.letter == 'R' ? relative_path(row.old_path, place) : row.old_path;
  }
  switch (options.format) {
    case DiffFormat::Stat:
      return stat_text(rows, style);
    case DiffFormat::NumStat:
      return numstat_text(rows, style);
    default:
      return names_text(rows, options.format, style);
  }
}

// The user's own configuration may say that there is to be none.
bool pager_wanted(const StateDir& state) {
  return policy::load_config({environment("HOME").value_or(""), state.path(), "", ""}).pager;
}

ExitCode list_commits(const session::ReviewSession& session, const DiffOptions& options,
                      Context& context) {
  const std::vector<BranchWork> branches = commits::session_commits(session);
  const auto git =
      options.patch && !context.global.json ? commits::find_session_git(session) : std::nullopt;
  if (git) {
    print_commits(*git, commits::new_commits(branches), patch_options(options), context.color,
                  context.out);
    print_tags(*git, branches, context.color, context.out);
    context.out.flush();
    apply::keep_shown_refs(session, branches);
  } else if (context.global.json) {
    context.print(commits_json(branches));
  } else {
    context.out.write(commits_text(branches, context.color));
  }
  return options.exit_code && !branches.empty() ? ExitCode::No : ExitCode::Ok;
}

// A patch knows of a mode but whether its file can be executed.
void tell_what_no_patch_says(const session::ReviewSession& session,
                             const std::vector<ReviewItem>& items) {
  std::vector<std::string> remarks;
  for (const std::string& path : status::new_repositories(session, items)) {
    remarks.push_back(printable(path) + "/ (a new git repository)");
  }
  for (const ReviewItem& item : items) {
    if (const std::string rights = rights_beyond_patch(item.change); !rights.empty()) {
      remarks.push_back(fmt::format("{} ({})", shown_path(item.change), rights));
    }
  }
  if (!remarks.empty()) {
    print_note("not in the patch: " + join(remarks, ", "));
  }
}

}  // namespace

ExitCode diff(const DiffOptions& options, Context& context) {
  const session::ReviewSession session = context.open();
  if (options.commits) {
    return list_commits(session, options, context);
  }
  const session::Selection selection{options.paths, session.project};
  ReviewSet set = changes::review_changes(session, selection, changes::WalkGitDirs::No);
  changes::require_matches(session, selection, set);
  const std::string too_deep = too_deep_text(set.too_deep, session::place_in(session.project));
  const std::vector<ReviewItem> items =
      changes::shown_items(std::move(set), options.ignored ? changes::IgnoredItems::Include
                                                           : changes::IgnoredItems::LeaveOut);
  const std::vector<PatchFile> files = changes::patch_files(
      session, items, options.session ? changes::Shown::Session : changes::Shown::Written);
  const ExitCode answer = options.exit_code && !items.empty() ? ExitCode::No : ExitCode::Ok;
  if (context.global.json) {
    context.print(summary_json(summarize(files, patch_options(options), CountLines::Yes)));
    return answer;
  }
  std::optional<Pager> pager;
  const bool long_text = options.format == DiffFormat::Patch || options.format == DiffFormat::Stat;
  if (stdout_is_terminal() && long_text && !files.empty()) {
    const auto command = pager_wanted(session.state) ? pager_command() : std::nullopt;
    if (command) {
      pager.emplace(*command);
    }
  }
  Output out{pager ? pager->file() : stdout};
  try {
    if (options.format == DiffFormat::Patch && options.session) {
      // An apply may make something else of it: this counts as nothing shown.
      print_patch(files, patch_options(options), context.color, out);
    } else if (options.format == DiffFormat::Patch) {
      print_review(session, items, patch_options(options), context.color, out);
    } else {
      out.write(summary_text(files, options, session::place_in(session.project),
                             {options.null_terminated, context.color, terminal_width()}));
    }
    out.flush();
  } catch (const ReaderGone&) {
    if (!pager) {
      throw;
    }
    // The user has left the pager: that is no failure.
  }
  pager.reset();
  if (options.format == DiffFormat::Patch) {
    tell_what_no_patch_says(session, items);
  }
  if (!too_deep.empty()) {
    print_note("neither shown nor applied: " + too_deep);
  }
  return answer;
}

}  // namespace shadow::cli
