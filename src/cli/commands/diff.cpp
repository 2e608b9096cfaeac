// SPDX-License-Identifier: MIT
#include "cli/commands/review.hpp"
#include "cli/commit_output.hpp"
#include "cli/pager.hpp"
#include "cli/patch_output.hpp"
#include "cli/render/commits.hpp"
#include "cli/render/summary.hpp"
#include "cli/terminal.hpp"
#include "sandbox/config.hpp"
#include "session/patch_files.hpp"
#include "session/review_set.hpp"
#include "session/selection.hpp"
#include "session/session_commits.hpp"
#include "session/session_git.hpp"
#include "sys/process.hpp"

#include <limits>
#include <memory>
#include <optional>

namespace shadow::cli {

namespace {

std::vector<ReviewItem> shown_items(ReviewSet set, bool ignored) {
  std::vector<ReviewItem> items;
  for (ReviewItem& item : set.items) {
    if (item.standing == Standing::Normal || (ignored && item.standing == Standing::Ignored)) {
      items.push_back(std::move(item));
    }
  }
  return items;
}

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
                         const SummaryStyle& style) {
  const bool names =
      options.format == DiffFormat::NameOnly || options.format == DiffFormat::NameStatus;
  const auto rows =
      summarize(files, patch_options(options), names ? CountLines::No : CountLines::Yes);
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
  return sandbox::load_config({sys::environment("HOME").value_or(""), state.path(), "", ""}).pager;
}

ExitCode list_commits(const ReviewSession& session, const DiffOptions& options, Context& context) {
  const std::vector<BranchWork> branches = session_commits(session);
  const auto git = options.patch && !context.global.json ? find_session_git(session) : std::nullopt;
  if (git) {
    print_commits(*git, new_commits(branches), patch_options(options), context.color, context.out);
  } else if (context.global.json) {
    context.print(commits_json(branches));
  } else {
    context.out.write(commits_text(branches, context.color));
  }
  return options.exit_code && !branches.empty() ? ExitCode::No : ExitCode::Ok;
}

}  // namespace

ExitCode diff(const DiffOptions& options, Context& context) {
  const ReviewSession session = context.open();
  if (options.commits) {
    return list_commits(session, options, context);
  }
  const Selection selection{options.paths, session.project};
  const std::vector<ReviewItem> items =
      shown_items(review_changes(session, selection, WalkGitDirs::No), options.ignored);
  const std::vector<PatchFile> files = patch_files(session, items);
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
    if (options.format == DiffFormat::Patch) {
      print_patch(files, patch_options(options), context.color, out);
    } else {
      out.write(
          summary_text(files, options, {options.null_terminated, context.color, terminal_width()}));
    }
    out.flush();
  } catch (const ReaderGone&) {
    if (!pager) {
      throw;
    }
    // The user has left the pager: that is no failure.
  }
  return answer;
}

}  // namespace shadow::cli
