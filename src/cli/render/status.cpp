// SPDX-License-Identifier: MIT
#include "cli/render/status.hpp"

#include "base/amounts.hpp"
#include "base/git_names.hpp"
#include "base/relative_path.hpp"
#include "base/text.hpp"
#include "base/time_text.hpp"
#include "cli/parser/verbs.hpp"
#include "cli/render/commits.hpp"
#include "cli/render/item.hpp"
#include "cli/render/not_shown.hpp"
#include "cli/render/paint.hpp"
#include "cli/render/runs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace shadow::cli {

namespace {

std::string count_of(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string item_line(const ReviewItem& item, std::string_view from, bool color) {
  const std::string remark = remarks(item, from);
  return fmt::format(
      "  {}  {}{}\n",
      painted(paint_of(item.change.kind), std::string{to_letter(item.change.kind)}, color),
      shown_path(item.change, from), remark.empty() ? "" : "  (" + remark + ")");
}

std::string fold_line(const IgnoredFold& fold, std::string_view from) {
  std::vector<std::string> parts;
  if (fold.files > 0) {
    parts.push_back(
        fmt::format("{}, {}", count_of(fold.files, "file", "files"), human_size(fold.bytes)));
  }
  if (fold.deleted > 0) {
    parts.push_back(fmt::format("{} deleted", fold.deleted));
  }
  if (fold.both_changed > 0) {
    parts.push_back(fmt::format("{} changed in the project too", fold.both_changed));
  }
  const std::string path = printable(relative_path(fold.path, from));
  return fmt::format("  {}{}{}\n", path, fold.directory && !path.ends_with('/') ? "/" : "",
                     parts.empty() ? "" : "  (" + join(parts, "; ") + ")");
}

const PlannedRef* planned_of(const BranchWork& work, const StatusReport& report) {
  const auto found =
      std::find_if(report.planned.begin(), report.planned.end(),
                   [&work](const PlannedRef& item) { return item.work.ref == work.ref; });
  return found == report.planned.end() ? nullptr : &*found;
}

// Where an apply puts the commits if it does not move the branch.
std::string kept_text(const PlannedRef* item) {
  if (item == nullptr || item->fate != CommitFate::Aside) {
    return {};
  }
  return fmt::format(", {} {} ({})", item->already ? "kept as" : "to be kept as",
                     printable(item->aside), printable(item->why));
}

std::string branch_line(const BranchWork& work, const StatusReport& report) {
  std::string text = fmt::format("  {}: ", printable(work.branch));
  if (work.state == BranchWork::State::Deleted) {
    return text + "deleted in the session\n";
  }
  if (work.state == BranchWork::State::Unreadable) {
    return text + "cannot be read\n";
  }
  text += news_text(work);
  if (work.state == BranchWork::State::New) {
    text += work.ref.starts_with(git::kHeads) ? ", a new branch" : ", new";
  } else if (work.state == BranchWork::State::Diverged) {
    text += ", diverged from the project's";
  }
  return text + kept_text(planned_of(work, report)) + "\n";
}

// A branch that was rewritten, or whose commits were picked or dropped, never moves forward again.
// Commits that the project has not must not be lost with it.
std::string way_out_of_lasting(const StatusReport& report) {
  bool any_new = false;
  bool any_lasting = false;
  bool new_lasting = false;
  for (const BranchWork& work : report.branches) {
    const PlannedRef* item = planned_of(work, report);
    const bool lasting =
        work.ref.starts_with(git::kHeads) &&
        (work.state == BranchWork::State::Diverged || (item != nullptr && item->lasting));
    const bool has_new =
        (!work.commits.empty() || work.more) && !(item != nullptr && item->already);
    any_new = any_new || has_new;
    any_lasting = any_lasting || lasting;
    new_lasting = new_lasting || (lasting && has_new);
  }
  if (!any_lasting) {
    return "";
  }
  return !any_new
             ? "  'shadow discard :/.git' lets the session continue from the project's branch.\n"
         : new_lasting
             ? "  'shadow apply' keeps these commits below refs/shadow; after it 'shadow discard "
               ":/.git' lets the session continue from the project's branch.\n"
             : "";
}

std::size_t count_drifted(const StatusReport& report, Verdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(report.items.begin(), report.items.end(), [verdict](const ReviewItem& item) {
        return item.drift != Drift::None && item.resolution.verdict == verdict &&
               item.depends_on.empty();
      }));
}

std::size_t count_sensitive(const StatusReport& report) {
  return static_cast<std::size_t>(
      std::count_if(report.items.begin(), report.items.end(),
                    [](const ReviewItem& item) { return !item.sensitive.empty(); }));
}

// Paths that --rw left out of review: each once, with the last run that could write to it.
std::string outside_section(const StatusReport& report) {
  std::vector<std::string> seen;
  std::string text;
  for (const RunRecord& run : report.outside) {
    for (const std::string& path : writable_paths(run)) {
      if (std::find(seen.begin(), seen.end(), path) == seen.end()) {
        seen.push_back(path);
        text += fmt::format("  {} (run {})\n", printable(path), run.id);
      }
    }
  }
  return text.empty() ? text : "\nWritable for runs, outside of review:\n" + text;
}

// What the item depends on, or the old name of a renamed file, where that is in conflict; else
// null.
const ReviewItem* conflict_of(const ReviewItem& item, const std::vector<ReviewItem>& items) {
  const bool new_name = item.resolution.verdict == Verdict::Conflict &&
                        item.change.kind != ChangeKind::Deleted && !item.resolution.partner.empty();
  const std::string& path = new_name ? item.resolution.partner.str() : item.depends_on.str();
  const auto at = std::lower_bound(
      items.begin(), items.end(), path,
      [](const ReviewItem& one, const std::string& wanted) { return one.change.path < wanted; });
  const bool found = !path.empty() && at != items.end() && at->change.path == path &&
                     at->resolution.verdict == Verdict::Conflict;
  return found ? &*at : nullptr;
}

// Worth a word where it is felt.
std::string left_out_section(const StatusReport& report) {
  const bool felt =
      std::any_of(report.items.begin(), report.items.end(), [](const ReviewItem& item) {
        const Clash clash = item.resolution.clash;
        return clash == Clash::NoBase || clash == Clash::NoText;
      });
  if (!felt || report.base_left_out == 0) {
    return {};
  }
  return fmt::format(
      "\n{} too many or too large to keep what was in them when the session began.\n",
      count_of(report.base_left_out, "file was", "files were"));
}

std::string other_sections(const StatusReport& report, const std::optional<std::string>& agent) {
  std::string text;
  if (report.behind > 0) {
    text += fmt::format("\nBehind the project at {}; {}", count_of(report.behind, "path", "paths"),
                        with_agent("'shadow refresh' brings the session up to it.\n", agent));
  }
  if (!report.ignored.empty()) {
    text += "\nIgnored, and applied with --ignored only:\n";
    for (const IgnoredFold& fold : report.ignored) {
      text += fold_line(fold, report.place);
    }
  }
  if (!report.branches.empty()) {
    text += "\nCommits:\n";
    for (const BranchWork& work : report.branches) {
      text += branch_line(work, report);
    }
    text += with_agent(way_out_of_lasting(report), agent);
    if (const std::string line = not_shown_text(report.not_shown); !line.empty()) {
      text += "\nThe " + line + with_agent("'shadow diff --commits -p' shows them.\n", agent);
    }
  } else if (report.git_dir_changed && !report.git_dir_new) {
    text += "\nThe session wrote to .git; apply leaves that alone.\n";
  }
  if (!report.nested_git_dirs.empty()) {
    text += "\nThe session wrote to repositories in the project; apply leaves that alone:\n";
    for (const std::string& path : report.nested_git_dirs) {
      text += fmt::format("  {}\n", printable(relative_path(path, report.place)));
    }
  }
  if (!report.new_repositories.empty()) {
    text += "\nNew git repositories, which apply takes without hooks and settings:\n";
    for (const NewHistory& history : report.new_repositories) {
      text += new_repository_line(history, report.place, agent);
    }
  }
  if (const std::string line = too_deep_text(report.too_deep, report.place); !line.empty()) {
    text += fmt::format("\nNeither shown nor applied: {}\n", line);
  }
  if (!report.live.empty()) {
    text += "\nLive:\n";
    for (const RunRecord& run : report.live) {
      text += fmt::format("  run {}, since {}: {}\n", run.id, local_time(run.started_ns),
                          command_text(run.argv));
    }
  }
  if (report.follows_by_time) {
    text += "  The view follows your edits by the clock: ";
    text += report.shared_storage
                ? "other machines can change this filesystem without a word to this kernel.\n"
                : "the project has more directories than fs.inotify.max_user_watches allows to "
                  "watch.\n";
  }
  text += outside_section(report);
  text += left_out_section(report);
  if (report.home_bytes > 0) {
    text += fmt::format("\nWritten to the home and kept with the session: {}\n",
                        human_size(report.home_bytes));
  }
  return text;
}

}  // namespace

std::string session_title(const SessionRecord& session) {
  return fmt::format("session {} of {}", shadow::quoted(session.agent),
                     shadow::quoted(session.project));
}

Json session_json(const SessionRecord& session) {
  Json record;
  record["id"] = session.id;
  set_bytes(record, "project", session.project);
  set_bytes(record, "agent", session.agent);
  return record;
}

std::string status_text(const StatusReport& report, bool color,
                        const std::optional<std::string>& agent) {
  std::string text = session_title(report.session) + ": ";
  if (report.items.empty()) {
    text += "no changes\n";
  } else {
    text += count_of(report.items.size(), "change", "changes");
    if (const std::size_t conflicts = count_drifted(report, Verdict::Conflict); conflicts > 0) {
      text += fmt::format(", {}", count_of(conflicts, "conflict", "conflicts"));
    }
    if (const std::size_t merges = count_drifted(report, Verdict::Merge); merges > 0) {
      text += fmt::format(", {} to be merged", merges);
    }
    if (const std::size_t sensitive = count_sensitive(report); sensitive > 0) {
      text += fmt::format(", {} sensitive", sensitive);
    }
    text += "\n\n";
    for (const ReviewItem& item : report.items) {
      text += item_line(item, report.place, color);
    }
  }
  return text + other_sections(report, agent);
}

std::string status_porcelain(const StatusReport& report, LineEnd end) {
  const auto path_of = [end](const std::string& path) {
    return end == LineEnd::Nul ? path : git_quoted(path);
  };
  const char last = end == LineEnd::Nul ? '\0' : '\n';
  std::string text;
  for (const ReviewItem& item : report.items) {
    text +=
        porcelain_columns(item, conflict_of(item, report.items)) + path_of(item.change.path) + last;
  }
  for (const IgnoredFold& fold : report.ignored) {
    text += std::string{'I', both_changed_column(fold.verdict, fold.drift), '.', ' '} +
            path_of(fold.path + (fold.directory ? "/" : "")) + last;
  }
  return text;
}

JsonText status_json(const StatusReport& report) {
  JsonText top;
  top.set("session", session_json(report.session));
  top.list("changes", report.items, [](const ReviewItem& item) { return to_json(item); });
  top.set("behind", report.behind);
  top.list("ignored", report.ignored, [](const IgnoredFold& fold) {
    Json record;
    set_bytes(record, "path", fold.path);
    record["directory"] = fold.directory;
    record["files"] = fold.files;
    record["deleted"] = fold.deleted;
    record["bytes"] = fold.bytes;
    record["both_changed"] = fold.both_changed;
    return record;
  });
  top.list("branches", report.branches, [&report](const BranchWork& work) {
    return foreseen_json(work, planned_of(work, report));
  });
  top.set("not_shown", not_shown_json(report.not_shown));
  top.set("git_dir_changed", report.git_dir_changed);
  top.set("git_dir_new", report.git_dir_new);
  top.list("nested_git_dirs", report.nested_git_dirs, [](const std::string& path) {
    Json record;
    set_bytes(record, "path", path);
    return record;
  });
  top.list("new_repositories", report.new_repositories,
           [](const NewHistory& history) { return to_json(history); });
  top.set("too_deep", too_deep_json(report.too_deep));
  top.list("live", report.live, [](const RunRecord& run) { return run_json(run); });
  top.set("follows_by_time", report.follows_by_time);
  top.set("shared_storage", report.shared_storage);
  top.list("outside_review", report.outside, [](const RunRecord& run) { return run_json(run); });
  top.set("home_bytes", report.home_bytes);
  top.set("base_left_out", report.base_left_out);
  return top;
}

}  // namespace shadow::cli
