// SPDX-License-Identifier: MIT
#include "commits/plan/new_history.hpp"

#include "shadow/error.hpp"

#include "base/git_names.hpp"
#include "base/text.hpp"
#include "commits/plan/object_stage.hpp"
#include "git/index/git_index.hpp"
#include "git/objects/known_once.hpp"
#include "git/objects/object_verify.hpp"
#include "git/repository/git_refs.hpp"
#include "overlay/read/view.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace shadow::commits {

namespace {

constexpr std::uint64_t kMostIndex = std::uint64_t{256} << 20U;

using State = BranchWork::State;

std::string name_of(const SessionGit& git, const BranchWork& work) {
  return git.work_tree.empty() ? work.branch : git.work_tree + ": " + work.branch;
}

// Keeps what was read: that is judged, and that an apply writes.
GitDirReader keeping(const GitDirReader& reader, std::map<std::string, std::string>& texts,
                     const std::string& prefix) {
  return {[&texts, read = reader.read, prefix](const std::string& path) {
            if (const auto known = texts.find(prefix + path); known != texts.end()) {
              return std::optional{known->second};
            }
            std::optional<std::string> text = read(path);
            if (text) {
              texts.emplace(prefix + path, *text);
            }
            return text;
          },
          reader.list};
}

// A replacement (refs/replace) makes every commit another one, and of all kinds but these nobody is
// told.
bool is_known_kind(std::string_view name) {
  return name.starts_with(git::kHeads) || name.starts_with(git::kTags) ||
         name.starts_with("refs/remotes/") || name == "refs/stash";
}

std::string fault_of_refs(const GitDirReader& reader, const git::Refs& refs) {
  if (refs.damaged || refs.head_broken) {
    return "its branches cannot be read";
  }
  if (!refs.head_ref.empty() && !refs.head_ref.starts_with(git::kHeads)) {
    return "what it has checked out is no branch";
  }
  for (const std::string& line : split(reader.read("packed-refs").value_or(""), '\n')) {
    if (line.size() > git::kHexId && line[0] != '#' && line[0] != '^' &&
        !is_known_kind(line.substr(git::kHexId + 1))) {
      return "it has refs that are neither branches nor tags";
    }
  }
  return {};
}

// The object of each path that it has checked out.
std::map<std::string, std::string> checked_out(const CommitJudge& judge, const git::Refs& refs) {
  std::map<std::string, std::string> ids;
  const git::CommitChanges* head = judge.changes_of(refs.detached ? "HEAD" : refs.head_ref);
  for (const git::CommitChange& change :
       head == nullptr ? std::vector<git::CommitChange>{} : head->changes) {
    if (change.net && change.tip_mode != 0) {
      ids.emplace(change.row.path, change.tip_id);
    }
  }
  return ids;
}

// Any use of git would bring staged files to the work tree, or into a commit.
std::string fault_of_index(const std::string& bytes, const SessionGit& git,
                           const CommitJudge& judge, const git::Refs& refs) {
  const auto index = git::parse_index_entries(bytes);
  if (!index || !index->shared_id.empty()) {
    return "it cannot be read";
  }
  const std::map<std::string, std::string> known = checked_out(judge, refs);
  for (const git::IndexEntry& entry : index->entries) {
    const std::string id = hex_of(entry.id);
    const auto at = known.find(entry.path);
    const bool committed = at != known.end() && at->second == id;
    if (entry.stage != 0 || entry.unwatched ||
        !(committed || judge.view_has(entry.path, entry.mode, id))) {
      return quoted(git.work_tree + entry.path) + " is staged otherwise than the work tree shows";
    }
  }
  return {};
}

}  // namespace

std::vector<BranchWork> listed_work(const GitDirs& dirs, Listed listed) {
  constexpr std::size_t kNewest = 50;  // BranchWork::more tells of the rest
  return listed == Listed::Newest ? branch_work(dirs, kNewest) : whole_branch_work(dirs);
}

NewCommits new_repository_commits(const session::ReviewSession& session, const std::string& git_dir,
                                  Listed listed) {
  NewCommits found{git_dir, new_session_git(session, git_dir), {}};
  found.rows = listed_work(found.git.dirs, listed);
  for (BranchWork& work : found.rows) {
    work.branch = name_of(found.git, work);
  }
  return found;
}

NewHistory judge_new_history(const session::ReviewSession& session, const std::string& git_dir,
                             const CommitChoice& choice, const std::vector<std::string>* objects) {
  NewHistory history;
  history.git_dir = git_dir;
  SessionGit git = new_session_git(session, git_dir);
  git.dirs.view = keeping(git.dirs.view, history.texts, git.prefix);
  const git::Refs refs = git::read_refs(git.dirs.view);
  (void)git.dirs.view.read("shallow");  // before the children do that look at commits
  history.fault = fault_of_refs(git.dirs.view, refs);
  std::optional<ObjectStage> stage;
  if (history.fault.empty() && objects != nullptr) {
    stage.emplace(session, git_dir + "/objects", *objects);
    git.dirs.upper_objects = stage->path();
  }
  if (history.fault.empty() && (stage || git.objects) &&
      !git::is_each_known_once(git.dirs.upper_objects)) {
    history.fault = "it has an object twice, or packs that cannot be read";
  }
  if (history.fault.empty() && stage) {
    history.fault = git::fault_of_objects(stage->path());
  }
  if (!history.fault.empty()) {
    return history;
  }
  history.rows = listed_work(git.dirs, Listed::Newest);
  CommitJudge judge{session, git, history.rows};
  history.fault = judge.fault_of_place(choice);
  for (const BranchWork& work : history.rows) {
    if (history.fault.empty()) {
      history.fault = work.state == State::Unreadable ? "its commits cannot be read"
                                                      : judge.fault_of(work.ref, choice);
    }
  }
  history.not_shown = judge.not_shown(choice.shown);
  if (stage && history.fault.empty()) {
    stage->put_into(history);
  }
  const overlay::View view{session.upper.get(), session.lower.get()};
  if (const auto index = view.read(git.prefix + "index", kMostIndex)) {
    history.index_fault = fault_of_index(*index, git, judge, refs);
    history.texts.emplace(git.prefix + "index", *index);
  }
  for (BranchWork& work : history.rows) {
    work.branch = name_of(git, work);
  }
  return history;
}

}  // namespace shadow::commits
