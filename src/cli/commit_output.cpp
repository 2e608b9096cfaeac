// SPDX-License-Identifier: MIT
#include "cli/commit_output.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "cli/patch_output.hpp"
#include "cli/render/commits.hpp"

namespace shadow::cli {

void print_commits(const SessionGit& git, const std::vector<NewCommit>& commits,
                   const PatchOptions& options, bool color, Output& out) {
  bool first = true;
  for (const NewCommit& one : commits) {
    out.write((first ? "" : "\n") + commit_head(one, color) + "\n");
    first = false;
    try {
      print_patch(patch_of_commit(git, one.commit.id), options, color, out);
    } catch (const Error& error) {
      out.write(printable(error.what()) + "\n");
    }
  }
}

std::string commits_as_remarks(const SessionGit& git, const std::vector<NewCommit>& commits,
                               const PatchOptions& options) {
  std::string text;
  for (const NewCommit& one : commits) {
    text += commit_head(one, false) + "\n";
    try {
      write_patch(patch_of_commit(git, one.commit.id), options,
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
