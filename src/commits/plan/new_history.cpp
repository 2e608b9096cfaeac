// SPDX-License-Identifier: MIT
#include "commits/plan/new_history.hpp"

#include "shadow/error.hpp"

#include "base/git_names.hpp"
#include "base/text.hpp"
#include "commits/plan/new_git_files.hpp"
#include "commits/plan/object_stage.hpp"
#include "git/commits/branch_work.hpp"
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
git::GitDirReader keeping(const git::GitDirReader& reader,
                          std::map<std::string, std::string>& texts, const std::string& prefix) {
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

std::string fault_of_refs(const git::Refs& refs) {
  if (refs.damaged || refs.head_broken) {
    return "its branches cannot be read";
  }
  if (!refs.head_ref.empty() && !refs.head_ref.starts_with(git::kHeads)) {
    return "what it has checked out is no branch";
  }
  return {};
}

// Any use of git would bring staged files to the work tree, or into a commit.
std::string fault_of_index(const std::string& bytes, const SessionGit& git,
                           const CommitJudge& judge,
                           const std::map<std::string, CheckedOut>& known) {
  const auto index = git::parse_index_entries(bytes);
  if (!index || !index->shared_id.empty()) {
    return "it cannot be read";
  }
  for (const git::IndexEntry& entry : index->entries) {
    const std::string id = hex_of(entry.id);
    const auto at = known.find(entry.path);
    const bool committed =
        at != known.end() && at->second.id == id && at->second.mode == entry.mode;
    if (entry.stage != 0 || entry.unwatched ||
        !(committed || judge.view_has(entry.path, entry.mode, id))) {
      return quoted(git.work_tree + entry.path) + " is staged otherwise than the work tree shows";
    }
  }
  return {};
}

// A commit may have names that libgit2 takes into no index: then the repository stays, and all else
// is applied.
void write_index_anew(const std::map<std::string, CheckedOut>& known, const ObjectStage& stage,
                      const std::string& prefix, NewHistory& history) {
  try {
    history.texts.insert_or_assign(prefix + "index", index_of(known, stage.index_path()));
  } catch (const Error& error) {
    history.fault = error.what();
  }
}

}  // namespace

std::vector<BranchWork> listed_work(const git::GitDirs& dirs, Listed listed) {
  constexpr std::size_t kNewest = 50;  // BranchWork::more tells of the rest
  return listed == Listed::Newest ? git::branch_work(dirs, kNewest) : git::whole_branch_work(dirs);
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
  history.fault = fault_of_refs(refs);
  if (history.fault.empty()) {
    history.fault = write_refs_anew(history.texts, git.prefix, refs);
  }
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
    const std::map<std::string, CheckedOut> known = checked_out(judge, refs);
    history.index_fault = fault_of_index(*index, git, judge, known);
    if (stage && history.fault.empty()) {
      write_index_anew(known, *stage, git.prefix, history);
    }
  }
  for (BranchWork& work : history.rows) {
    work.branch = name_of(git, work);
  }
  return history;
}

}  // namespace shadow::commits
