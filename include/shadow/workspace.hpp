// SPDX-License-Identifier: MIT
// libshadow: sessions, their runs and changes, for programs that drive shadow. What the command
// line does, by the same functions and with the same refusals; what it says with an exit status is
// an exception with a kind here. Nothing is printed.
//
// Threads: every call may come from any thread; the process does one at a time, and a call waits
// for the one before it. Only a Run's own calls never wait for those of others. An object is used
// by one thread at a time. Sinks are called in the thread of the call that they are about, and must
// not call the library.
//
// Processes: work on a live session, and on commits, is done in children of this process, which the
// library waits for by their pids; a program that ignores SIGCHLD, or waits for every child, breaks
// that. Environment variables are read as the command line reads them (HOME, XDG_CONFIG_HOME,
// TMPDIR and those of shadow) and must not be set meanwhile.
//
// Rights: this process is never moved into a user namespace of its own, as the command line is (see
// Process). A session in which an ordinary user's command took a file's rights away (mode 0) can be
// reviewed by the command line alone; here that is Kind::System.

#pragma once

#include "shadow/failure.hpp"
#include "shadow/findings.hpp"
#include "shadow/records.hpp"
#include "shadow/workspace_plan.hpp"
#include "shadow/workspace_review.hpp"
#include "shadow/workspace_run.hpp"
#include "shadow/workspace_types.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shadow {
struct StateHandle;    // private
struct ProjectHandle;  // private
struct SessionHandle;  // private
}  // namespace shadow

namespace shadow::workspace {

// The session of one agent in one project. Its first run creates it; before that calls throw
// Failure (NoSession), except for exists(), start(), undo() and history(). Nothing is kept open in
// between: each call finds the session as it is by then, finishes what was interrupted, and waits
// for the records of runs that ended, as every command does.
class Session {
 public:
  [[nodiscard]] const std::string& project() const noexcept;  // canonical
  [[nodiscard]] const std::string& agent() const noexcept;    // as it was named

  // False before its first run, and once it was discarded as a whole.
  [[nodiscard]] bool exists() const;

  // Starts the installed `shadow run` in the project. `command` has at least one word and is looked
  // up in PATH. Throws Failure: Invalid for an empty command, and for a word of the policy that is
  // no option as --NAME or --NAME=VALUE, or is --as; NotStarted; System for a closed descriptor.
  [[nodiscard]] Run start(const std::vector<std::string>& command,
                          const RunOptions& options = {}) const;

  // The session's changes, sorted by path, without those in a git directory. Throws Failure
  // (Nothing) when a path selects no change.
  [[nodiscard]] std::vector<Change> changes(const Paths& paths = Paths::all()) const;

  // The patch that an apply would write, in a form that `git apply` accepts, binary files included:
  // what is in conflict, or ignored, is left out. Rights beyond "executable", empty directories and
  // commits are in no patch: plan() lists all that will be written. Counts as shown: an apply
  // writes what is in it or, when the session went on, nothing (Kind::Unseen). Throws like
  // changes().
  [[nodiscard]] std::string patch(const Paths& paths = Paths::all()) const;

  // Plans an apply. Nothing is written; conflicts and sensitive changes are data here. Throws like
  // changes().
  [[nodiscard]] Plan plan(const ApplyOptions& options = {}) const;

  // Takes back the apply (or undo) of this number, or this session's newest that is not undone.
  // Never overwrites what somebody changed since. Throws Failure (Nothing) when there is none, it
  // was taken back already, or is another session's; Failure (Sensitive) as Reversal::check() does.
  // The session need not exist any more.
  Undone undo(std::optional<std::int64_t> id = std::nullopt) const;

  // Opened for review: for several looks at one state of it.
  [[nodiscard]] Review review() const;

  // The applies and undos of the project, of all sessions, newest first.
  [[nodiscard]] std::vector<ApplyRecord> history() const;

  // Drops changes, or with Paths::all() the session with all that it has: there is no way back. The
  // project is not written to. Returns how many changes, 0 of a whole session. Throws Failure:
  // Nothing when a path selects no change; Busy when the session is live and `live` says Refuse, or
  // a run has one of the paths open; Stale when the project changes all the time.
  std::uint64_t discard(const Paths& paths, LiveRuns live = LiveRuns::Refuse) const;

 private:
  friend class State;
  explicit Session(std::shared_ptr<const SessionHandle> handle);
  std::shared_ptr<const SessionHandle> handle_;
};

// A project, and where in it the caller stands: paths are relative to that where they are patterns
// (Paths::matching), and in messages.
class Project {
 public:
  [[nodiscard]] const std::string& root() const noexcept;  // canonical

  // The current directory, relative to the root; "" for the root itself.
  [[nodiscard]] std::string place() const;

  // Opens the session that is meant: that of the agent named here, in the environment or in the
  // user's configuration; else the only one of the project, else the only one that has changes.
  // Throws Failure: NoSession; Trouble when several could be meant.
  [[nodiscard]] Review review(const std::optional<std::string>& agent = std::nullopt) const;

  // True if these paths leave nothing out: to discard them is to drop the session itself, and not
  // only all of its changes, as "." would.
  [[nodiscard]] bool is_whole(const Paths& paths) const;

  // The project's sessions; and the one that review() would choose, even if it cannot be opened.
  // The latter throws like review().
  [[nodiscard]] std::vector<SessionRecord> sessions() const;
  [[nodiscard]] SessionRecord find_session(
      const std::optional<std::string>& agent = std::nullopt) const;

  // A session's commits that the project lacks; none if they cannot be read.
  [[nodiscard]] std::vector<BranchWork> commits_of(const SessionRecord& session) const;

  // Removes sessions with all that they have, one after the other: there is no way back. Applies
  // stay undoable. Throws Failure (Busy) when one is live and `live` says Refuse.
  void discard(const std::vector<SessionRecord>& sessions, LiveRuns live = LiveRuns::Refuse) const;

  // Applies and undos, of all sessions, newest first.
  [[nodiscard]] std::vector<ApplyRecord> history() const;

  // Plans to undo the apply (or undo) of this number, or the newest that is not undone: of the
  // agent that is named here or in the environment, otherwise of any. Throws Failure: Nothing when
  // there is none, or it was taken back already; Trouble when several sessions have one.
  [[nodiscard]] Reversal plan_undo(std::optional<std::int64_t> id = std::nullopt,
                                   const std::optional<std::string>& agent = std::nullopt) const;

  // A run of this state by its number, whichever project it is of; nullopt when there is none. The
  // records of the project's own are waited for.
  [[nodiscard]] std::optional<ShownRun> find_run(std::int64_t id) const;

 private:
  friend class Session;
  friend class State;
  explicit Project(std::shared_ptr<const ProjectHandle> handle);
  std::shared_ptr<const ProjectHandle> handle_;
};

// A state directory, in which all sessions are.
class State {
 public:
  // The command line's state: $SHADOW_STATE_DIR, the configuration, XDG_STATE_HOME. Made when it is
  // missing. Throws Failure: Inside; Trouble when others may write to it; System.
  [[nodiscard]] static State open(Sinks sinks = {}, Process process = Process::Shared);

  // The same at this absolute path. Throws Failure (Invalid) for another one.
  [[nodiscard]] static State at(const std::string& path, Sinks sinks = {});

  [[nodiscard]] const std::string& path() const noexcept;  // canonical

  // The session of this agent in this directory, which is the project; it need not exist yet.
  // Throws Failure: Invalid for an empty name and for what can be no project (the home, `/`, what
  // contains the state), System when the directory cannot be opened.
  [[nodiscard]] Session session(const std::string& project, const std::string& agent) const;

  // The project of a directory as the command line finds it: the directory itself, or without one
  // that of $SHADOW_PROJECT, else of the working directory, or what encloses it and has a session
  // or is a git work tree. Throws Failure (Trouble) for what can be no project.
  [[nodiscard]] Project project(const std::optional<std::string>& directory = std::nullopt) const;

  // As the user's configuration has them by now.
  [[nodiscard]] Settings settings() const;

  // All of them, newest use first. What is outdated in it is counted in the background, and waited
  // for so long at most.
  [[nodiscard]] std::vector<ListedSession> sessions(std::chrono::milliseconds patience) const;

  // Finds whether runs work on this machine, with the state, the home and the project of a
  // directory, by trying in children that leave nothing behind. A directory that cannot be a
  // project is a note.
  [[nodiscard]] std::vector<Finding> examine(
      const std::optional<std::string>& directory = std::nullopt) const;

  // The machine alone, where no state can be opened.
  [[nodiscard]] static std::vector<Finding> examine_machine();

  // Removes what nothing needs any more. Applies and runs are kept as long as the user's
  // configuration says, else for 30 days.
  GcReport collect_garbage(GcMode mode = GcMode::Remove) const;

 private:
  explicit State(std::shared_ptr<const StateHandle> handle);
  std::shared_ptr<const StateHandle> handle_;
};

}  // namespace shadow::workspace
