// SPDX-License-Identifier: MIT
#include "cli/output/commit_output.hpp"

#include "shadow/error.hpp"

#include "base/git_names.hpp"
#include "base/text.hpp"
#include "cli/output/patch_output.hpp"
#include "cli/render/commits.hpp"
#include "cli/render/paint.hpp"

namespace shadow::cli {

namespace {

// Each line of it escaped; with a line end.
std::string beside_head(const commits::SessionGit& git, const std::string& id) {
  std::string text;
  for (const std::string& line : commits::text_of_object(git, id)) {
    text += printable(line) + "\n";
  }
  return text;
}

}  // namespace

void print_tags(const commits::SessionGit& git, const std::vector<BranchWork>& rows, bool color,
                Output& out) {
  for (const BranchWork& work : rows) {
    if (!work.ref.starts_with(git::kTags) || work.view_id.empty()) {
      continue;
    }
    try {
      if (commits::is_annotated_tag(git, work.view_id)) {
        out.write("\n" + painted(Paint::Yellow, printable(work.branch), color) + "\n" +
                  beside_head(git, work.view_id));
      }
    } catch (const Error& error) {
      out.write("\n" + printable(work.branch) + ": " + printable(error.what()) + "\n");
    }
  }
}

void print_commits(const commits::SessionGit& git, const std::vector<commits::NewCommit>& commits,
                   const PatchOptions& options, bool color, Output& out) {
  bool first = true;
  for (const commits::NewCommit& one : commits) {
    out.write((first ? "" : "\n") + commit_head(one, color));
    first = false;
    try {
      out.write(beside_head(git, one.commit.id) + "\n");
      print_patch(commits::patch_of_commit(git, one.commit.id), options, color, out);
    } catch (const Error& error) {
      out.write(printable(error.what()) + "\n");
    }
  }
}

std::string commits_as_remarks(const commits::SessionGit& git,
                               const std::vector<commits::NewCommit>& commits,
                               const PatchOptions& options) {
  std::string text;
  for (const commits::NewCommit& one : commits) {
    text += commit_head(one, false);
    try {
      text += beside_head(git, one.commit.id) + "\n";
      write_patch(commits::patch_of_commit(git, one.commit.id), options,
                  [&text](PatchPart, std::string_view piece) { text += printable_text(piece); });
    } catch (const Error& error) {
      text += printable(error.what()) + "\n";
    }
  }
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

}  // namespace shadow::cli
