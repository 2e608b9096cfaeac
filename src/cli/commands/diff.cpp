// SPDX-License-Identifier: MIT
#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "cli/commands/review.hpp"
#include "cli/output/commit_output.hpp"
#include "cli/output/patch_output.hpp"
#include "cli/output/patiently.hpp"
#include "cli/render/beyond_patch.hpp"
#include "cli/render/commits.hpp"
#include "cli/render/item.hpp"
#include "cli/render/summary.hpp"
#include "cli/terminal/pager.hpp"
#include "cli/terminal/terminal.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>

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

std::string summary_text(const workspace::Changes& changes, const DiffOptions& options,
                         std::string_view place, const SummaryStyle& style) {
  const bool names =
      options.format == DiffFormat::NameOnly || options.format == DiffFormat::NameStatus;
  auto rows = changes.summarize(patch_options(options), names ? CountLines::No : CountLines::Yes);
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

void show_commits(const workspace::Commits& commits, const DiffOptions& options, Context& context) {
  std::vector<std::string> missing =
      print_commits(commits, commits.list(), patch_options(options), context.color, context.out);
  const std::vector<std::string> tags = print_tags(commits, context.color, context.out);
  missing.insert(missing.end(), tags.begin(), tags.end());
  if (const std::string text = incomplete_text(commits); !text.empty()) {
    context.out.write("\n" + text);
  }
  context.out.flush();
  commits.keep_as_shown(missing);
}

ExitCode list_commits(const DiffOptions& options, Context& context) {
  const workspace::Review review = context.open();
  const auto listed = options.patch && !context.global.json ? workspace::ListedCommits::All
                                                            : workspace::ListedCommits::Newest;
  const workspace::Commits commits = review.commits(listed);
  const std::vector<workspace::Commits> others = review.commits_of_new_repositories(listed);
  std::vector<BranchWork> refs = commits.refs();
  for (const workspace::Commits& other : others) {
    refs.insert(refs.end(), other.refs().begin(), other.refs().end());
  }
  if (context.global.json) {
    context.print(commits_json(refs));
  } else if (!options.patch || refs.empty()) {
    context.out.write(commits_text(refs, context.color));
  } else {
    if (commits.readable()) {
      show_commits(commits, options, context);
    }
    for (const workspace::Commits& other : others) {
      show_commits(other, options, context);
    }
  }
  return options.exit_code && !refs.empty() ? ExitCode::No : ExitCode::Ok;
}

// An apply writes these as well.
void report_changes_beyond(const workspace::Changes& changes, DiffFormat format,
                           std::string_view place) {
  const std::string text =
      format == DiffFormat::Patch
          ? beyond_patch_text(changes.items(), changes.new_repositories(), place)
          : unlisted_text(changes.items(), place);
  if (!text.empty()) {
    print_note(text);
  }
}

// Nothing of what it was given was seen.
[[noreturn]] void throw_no_pager(const std::string& command) {
  throw Error{fmt::format("cannot run the pager {}", quoted(command)),
              "set SHADOW_PAGER to another one, or to nothing to do without"};
}

// The user's own configuration may say that there is to be none.
std::optional<std::string> wanted_pager() {
  return open_state().settings().pager ? pager_command() : std::nullopt;
}

// `showing` becomes what is shown, if that counts.
void print_changes(const workspace::Changes& changes, const DiffOptions& options,
                   const std::string& place, bool color, Output& out,
                   std::optional<workspace::Showing>& showing) {
  if (options.format != DiffFormat::Patch) {
    out.write(
        summary_text(changes, options, place, {options.null_terminated, color, terminal_width()}));
  } else if (options.session) {
    // An apply may make something else of it: this counts as nothing shown.
    changes.write_patch(patch_options(options), sink_to(out, color));
  } else {
    print_shown(showing.emplace(changes.show()), patch_options(options), color, out);
  }
  out.flush();
}

// The way to who reads.
struct Reader {
  std::optional<Pager> pager;
  bool has_some = false;
};

ExitCode show(const workspace::Review& review, const DiffOptions& options, Context& context,
              Reader& reader) {
  const workspace::Changes changes =
      review.changes({workspace::Paths::matching(options.paths), options.ignored,
                      options.session ? Shown::Session : Shown::Written});
  const ExitCode answer =
      options.exit_code && !changes.items().empty() ? ExitCode::No : ExitCode::Ok;
  if (context.global.json) {
    context.print(
        summary_json(changes.summarize(patch_options(options), CountLines::Yes), changes.items()));
    return answer;
  }
  const bool long_text = options.format == DiffFormat::Patch || options.format == DiffFormat::Stat;
  if (!reader.pager && stdout_is_terminal() && long_text && changes.have_patch()) {
    if (const auto command = wanted_pager()) {
      reader.pager.emplace(*command);
    }
  }
  Output out{reader.pager ? reader.pager->file() : stdout};
  out.hold();
  std::optional<workspace::Showing> showing;
  bool read_whole = true;
  try {
    print_changes(changes, options, review.place(), context.color, out, showing);
  } catch (const ReaderGone&) {
    if (!reader.pager) {
      throw;
    }
    read_whole = false;  // the user has left the pager: that is no failure
  } catch (const workspace::Failure&) {
    reader.has_some = !out.take_back();
    throw;
  }
  if (reader.pager && !reader.pager->close()) {
    if (showing) {
      showing->forget();
    }
    throw_no_pager(reader.pager->command());
  }
  if (showing && read_whole) {
    showing->finish();
  }
  report_changes_beyond(changes, options.format, review.place());
  if (const std::string too_deep = too_deep_text(changes.too_deep(), review.place());
      !too_deep.empty()) {
    print_note("neither shown nor applied: " + too_deep);
  }
  return answer;
}

}  // namespace

ExitCode diff(const DiffOptions& options, Context& context) {
  if (options.commits) {
    return list_commits(options, context);
  }
  const workspace::Review review = context.open();
  Reader reader;
  return patiently([&] { return show(review, options, context, reader); },
                   [&] { return reader.has_some; });
}

}  // namespace shadow::cli
