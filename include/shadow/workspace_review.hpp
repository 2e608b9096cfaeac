// SPDX-License-Identifier: MIT
// A session opened for review: what it did, in all the detail that the command line shows.

#pragma once

#include "shadow/commits.hpp"
#include "shadow/patch_text.hpp"
#include "shadow/records.hpp"
#include "shadow/refresh.hpp"
#include "shadow/status.hpp"
#include "shadow/workspace_changes.hpp"
#include "shadow/workspace_plan.hpp"
#include "shadow/workspace_types.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shadow {
struct ReviewHandle;  // private
class CommitsHandle;  // private
struct WatchHandle;   // private
}  // namespace shadow

namespace shadow::workspace {

// How many commits of a ref are listed: the 50 newest, or all that an apply would take, with a
// bound of 20 000 together.
enum class ListedCommits : std::uint8_t { Newest, All };

// Commits that a session made and its project has not. An object that cannot be read is a Failure
// (Trouble).
class Commits {
 public:
  // One entry for each ref that differs from the project's.
  [[nodiscard]] const std::vector<BranchWork>& refs() const noexcept;

  // Each commit once, in the order of the refs, newest first.
  [[nodiscard]] std::vector<NewCommit> list() const;

  // The commit whose id begins with `prefix`. Throws Failure (Trouble) when several do.
  [[nodiscard]] std::optional<NewCommit> find(const std::string& prefix) const;

  // True if there is a repository to read the following from.
  [[nodiscard]] bool readable() const;

  // The text in the object of a commit, or of an annotated tag, that its line in a list does not
  // have: other headers, and the rest of its message. Lines as raw bytes.
  [[nodiscard]] std::vector<std::string> text(const std::string& id) const;
  [[nodiscard]] bool is_annotated_tag(const std::string& id) const;

  // The changes of a commit against its first parent. Exceptions of the sink come out of this.
  void write_patch(const std::string& id, const PatchOptions& options, const PatchSink& sink) const;

  // Paths at which the commits have files that the work tree does not show. Filled for new
  // repositories only.
  [[nodiscard]] const std::vector<std::string>& not_shown() const noexcept;

  // Records that all of these commits were shown, but for the objects `missing`. A later apply
  // moves no ref that has more by then (Unseen). A ref of which something is missing, or not listed
  // here (BranchWork::more), counts as before.
  void keep_as_shown(const std::vector<std::string>& missing = {}) const;

 private:
  friend class Plan;
  friend class Review;
  explicit Commits(std::shared_ptr<const CommitsHandle> handle);
  std::shared_ptr<const CommitsHandle> handle_;
};

// Waits for changes of a session and of its project; files that git ignores there do not count.
class Watch {
 public:
  // False: the user's limits (fs.inotify) do not suffice, and wait() returns every two seconds as
  // well.
  [[nodiscard]] bool complete() const noexcept;

  // Returns once something has changed since the last call, as soon as it is quiet or a fifth of a
  // second is over. Other calls of the library do not wait for this one. Throws Failure (System).
  void wait();

 private:
  friend class Review;
  explicit Watch(std::shared_ptr<WatchHandle> handle);
  std::shared_ptr<WatchHandle> handle_;
};

// A session as it was opened: interrupted applies finished or rolled back, records of ended runs
// waited for. Keeps no lock; each call reads anew.
class Review {
 public:
  // The session as it was on record when it was opened.
  [[nodiscard]] const SessionRecord& session() const noexcept;

  // Where the caller stands, relative to the project; "" for its root.
  [[nodiscard]] std::string place() const;

  // The report of `shadow status`, and the changes themselves. Throw Failure (Nothing) for paths
  // that select no change.
  [[nodiscard]] StatusReport status(const Paths& paths = Paths::all()) const;
  [[nodiscard]] Changes changes(const ChangesOptions& options = {}) const;

  // The commits of the project's repository that it lacks, and those of repositories that the
  // session made.
  [[nodiscard]] Commits commits(ListedCommits listed = ListedCommits::Newest) const;
  [[nodiscard]] std::vector<Commits> commits_of_new_repositories(  // each is one
      ListedCommits listed = ListedCommits::Newest) const;

  // Begins to notice changes of the session and of its project.
  [[nodiscard]] Watch watch() const;

  // Runs that changed something at the paths, live ones too, newest first. Throws Failure (Nothing)
  // for paths at which no run changed anything.
  [[nodiscard]] std::vector<LoggedRun> runs(const Paths& paths = Paths::all()) const;

  // Brings the project's changes into the session where both sides merge; plan_refresh() reports
  // what that would do. Ignored files and git directories stay as they are. Interrupted, it has
  // done some paths and not others, and can be repeated. Throws Failure: Nothing for paths that
  // select no change; Busy when a run has one of the files open for writing; Stale when they change
  // all the time.
  [[nodiscard]] RefreshReport plan_refresh(const Paths& paths = Paths::all()) const;
  RefreshReport refresh(const Paths& paths = Paths::all()) const;

  // Plans an apply. Nothing is written; conflicts and sensitive changes are data here. Throws
  // Failure (Nothing) for paths that select no change.
  [[nodiscard]] Plan plan(const ApplyOptions& options = {}) const;

  // The parts of the changes that an apply would write, always with OnConflict::Skip. Throws
  // Failure: Nothing for paths that select no change; Conflict, Sensitive when nothing could be
  // applied.
  [[nodiscard]] ApplyParts parts_to_apply(const ApplyOptions& options = {}) const;

  // Makes a branch of the session's work, or with `dry_run` tells what would be on it. Throws
  // Failure: Busy when there is such a branch, or a commit may not be taken; Conflict, Sensitive
  // and Unseen as an apply does; Stale when a file was written while it was read; Nothing when
  // there is nothing to put on it.
  MadeBranch make_branch(const BranchOptions& options) const;

  // Plans a discard of these paths, or offers their changes part by part. Throw Failure (Nothing)
  // for paths that select no change.
  [[nodiscard]] DiscardPlan plan_discard(const Paths& paths) const;
  [[nodiscard]] DiscardParts parts_to_discard(const Paths& paths = Paths::all()) const;

  // Ends the session's live runs.
  void end_runs() const;

 private:
  friend class Project;
  friend class Session;
  explicit Review(std::shared_ptr<const ReviewHandle> handle);
  std::shared_ptr<const ReviewHandle> handle_;
};

}  // namespace shadow::workspace
