// SPDX-License-Identifier: MIT
#include "commits/show/commit_patch.hpp"

#include "shadow/error.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "commits/show/commit_text.hpp"
#include "git/commits/commit_changes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace shadow::commits {

namespace {

// One side of a file, whose bytes are at hand.
void set_side(unsigned mode, std::string bytes, Entry& entry, Content& content) {
  if (mode == 0) {
    return;
  }
  constexpr unsigned kPermissions = 0777;
  entry.kind = mode == git::kLinkMode ? EntryKind::Symlink : EntryKind::File;
  entry.mode = mode == git::kModuleMode ? 0644U : mode & kPermissions;
  entry.size = bytes.size();
  if (entry.kind == EntryKind::Symlink) {
    entry.target = std::move(bytes);
  } else {
    content.bytes = std::move(bytes);
  }
}

}  // namespace

std::vector<NewCommit> new_commits(const std::vector<BranchWork>& rows) {
  std::vector<NewCommit> found;
  std::map<std::string, std::size_t> known;
  for (const BranchWork& work : rows) {
    for (const Commit& commit : work.commits) {
      const auto [at, fresh] = known.emplace(commit.id, found.size());
      if (fresh) {
        found.push_back({commit, {work.branch}});
      } else {
        found[at->second].branches.push_back(work.branch);
      }
    }
  }
  return found;
}

std::vector<BranchWork> wholly_listed(const std::vector<BranchWork>& rows,
                                      const std::vector<std::string>& missing) {
  const std::set<std::string> left_out{missing.begin(), missing.end()};
  std::vector<BranchWork> found;
  for (const BranchWork& work : rows) {
    const bool whole =
        !work.more && work.state != BranchWork::State::Unreadable &&
        left_out.count(work.view_id) == 0 &&
        std::none_of(work.commits.begin(), work.commits.end(),
                     [&](const Commit& commit) { return left_out.count(commit.id) != 0; });
    if (whole) {
      found.push_back(work);
    }
  }
  return found;
}

std::optional<NewCommit> find_new_commit(const std::vector<BranchWork>& rows,
                                         const std::string& prefix) {
  std::optional<NewCommit> found;
  const std::string wanted = lower_ascii(prefix);
  for (NewCommit& one : new_commits(rows)) {
    if (one.commit.id.starts_with(wanted)) {
      if (found) {
        throw Error{"cannot tell which commit " + quoted(prefix) + " is: there are several",
                    "give more of its id; 'shadow diff --commits' lists them"};
      }
      found = std::move(one);
    }
  }
  return found;
}

std::vector<PatchFile> patch_of_commit(const SessionGit& git, const std::string& id) {
  std::vector<PatchFile> files;
  for (git::CommitFile& one : git::commit_files(git.dirs, id)) {
    PatchFile file;
    file.path = git.work_tree + one.row.path;
    file.content_changed = one.row.before_id != one.row.after_id;
    set_side(one.row.before_mode, std::move(one.before), file.before, file.before_content);
    set_side(one.row.after_mode, std::move(one.after), file.after, file.after_content);
    files.push_back(std::move(file));
  }
  return files;
}

bool is_annotated_tag(const SessionGit& git, const std::string& id) {
  return git::object_text(git.dirs, id).starts_with("object ");
}

std::vector<std::string> text_of_object(const SessionGit& git, const std::string& id) {
  constexpr int kMostTags = 16;
  std::string text = git::object_text(git.dirs, id);
  std::vector<std::string> lines = lines_beside_head(text);
  for (int i = 0; const auto next = tag_within(text); ++i) {
    if (i == kMostTags) {
      throw Error{"cannot show " + id + ": it is a tag of too many tags"};
    }
    text = git::object_text(git.dirs, *next);
    lines.emplace_back();
    for (std::string& line : lines_beside_head(text)) {
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

}  // namespace shadow::commits
