// SPDX-License-Identifier: MIT
#include "cli/output/commit_output.hpp"

#include "shadow/failure.hpp"

#include "base/git_names.hpp"
#include "base/text.hpp"
#include "cli/output/patch_output.hpp"
#include "cli/render/commits.hpp"
#include "cli/render/paint.hpp"

#include <fmt/format.h>

#include <utility>

namespace shadow::cli {

namespace {

// Each line of it escaped; with a line end.
std::string beside_head(const workspace::Commits& commits, const std::string& id) {
  std::string text;
  for (const std::string& line : commits.text(id)) {
    text += printable(line) + "\n";
  }
  return text;
}

std::string as_remarks(std::string_view text) {
  std::string remarks;
  std::vector<std::string> lines = split(text, '\n');
  if (!lines.empty() && lines.back().empty()) {
    lines.pop_back();
  }
  for (const std::string& line : lines) {
    remarks += "# " + line + "\n";
  }
  return remarks;
}

}  // namespace

std::vector<std::string> print_tags(const workspace::Commits& commits, bool color, Output& out) {
  std::vector<std::string> missing;
  for (const BranchWork& work : commits.refs()) {
    if (!work.ref.starts_with(git::kTags) || work.view_id.empty()) {
      continue;
    }
    try {
      if (commits.is_annotated_tag(work.view_id)) {
        out.write("\n" + painted(Paint::Yellow, printable(work.branch), color) + "\n" +
                  beside_head(commits, work.view_id));
      }
    } catch (const workspace::Failure& failure) {
      out.write("\n" + printable(work.branch) + ": " + printable(failure.what()) + "\n");
      missing.push_back(work.view_id);
    }
  }
  return missing;
}

std::vector<std::string> print_commits(const workspace::Commits& commits,
                                       const std::vector<NewCommit>& list,
                                       const PatchOptions& options, bool color, Output& out) {
  std::vector<std::string> missing;
  bool first = true;
  for (const NewCommit& one : list) {
    out.write((first ? "" : "\n") + commit_head(one, color));
    first = false;
    try {
      out.write(beside_head(commits, one.commit.id) + "\n");
      commits.write_patch(one.commit.id, options, sink_to(out, color));
    } catch (const workspace::Failure& failure) {
      out.write(printable(failure.what()) + "\n");
      missing.push_back(one.commit.id);
    }
  }
  return missing;
}

std::string incomplete_text(const workspace::Commits& commits) {
  std::string text;
  for (const BranchWork& work : commits.refs()) {
    if (work.state == BranchWork::State::Unreadable) {
      text += printable(work.branch) + ": cannot be read, and is not shown\n";
    } else if (work.more) {
      text += fmt::format("{}: older commits than these {} are not shown\n", printable(work.branch),
                          work.commits.size());
    }
  }
  return text;
}

void print_as_remarks(const workspace::Commits& commits, const PatchOptions& options, Output& out) {
  for (const NewCommit& one : commits.list()) {
    std::string text = commit_head(one, false);
    try {
      text += beside_head(commits, one.commit.id) + "\n";
      commits.write_patch(one.commit.id, options, [&text](PatchPart, std::string_view piece) {
        text += printable_text(piece);
      });
    } catch (const workspace::Failure& failure) {
      text += printable(failure.what()) + "\n";
    }
    out.write(as_remarks(text));
  }
  out.write(as_remarks(incomplete_text(commits)));
}

}  // namespace shadow::cli
