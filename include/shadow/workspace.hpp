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
// Rights: this process is never moved into a user namespace of its own, as the command line is. A
// session in which an ordinary user's command took a file's rights away (mode 0) can be reviewed by
// the command line alone; here that is Kind::System.

#pragma once

#include "shadow/failure.hpp"
#include "shadow/workspace_types.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace shadow {
struct StateHandle;    // private
struct SessionHandle;  // private
struct PlanHandle;     // private
}  // namespace shadow

namespace shadow::workspace {

// What an apply would write: looked at once, and written as it was looked at or not at all. Keeps
// the session open, and no lock: the session and the project may go on meanwhile, which execute()
// finds out.
class Plan {
 public:
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan();

  [[nodiscard]] const std::vector<PlannedStep>& steps() const noexcept;
  [[nodiscard]] const std::vector<PlannedRef>& refs() const noexcept;

  // While one of these two has anything, nothing is written.
  [[nodiscard]] const std::vector<Reason>& conflicts() const noexcept;
  [[nodiscard]] const std::vector<Reason>& sensitive() const noexcept;

  // Paths at which commits bring what patch() does not show, such as a file that a later commit
  // took away again.
  [[nodiscard]] const std::vector<std::string>& not_shown() const noexcept;

  // Chosen, and stays in the session.
  [[nodiscard]] const std::vector<Reason>& left() const noexcept;

  // Throws Failure, as execute() would without having written: Conflict, Sensitive, or Unseen when
  // the session went on since it was shown.
  void check() const;

  // Writes all of it or nothing; once. Throws Failure: as check() does; Conflict when a path of the
  // project is not what it was when the plan was made; Stale, Busy, System; Invalid the second
  // time.
  Applied execute();

 private:
  friend class Session;
  explicit Plan(std::unique_ptr<PlanHandle> handle);
  std::unique_ptr<PlanHandle> handle_;
};

// A command that was started: a process of `shadow run`, which is a child of this process.
class Run {
 public:
  Run(Run&& other) noexcept;
  Run& operator=(Run&& other) noexcept;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // Ends it unless it was waited for: SIGTERM, after two seconds SIGKILL. What it wrote stays in
  // the session.
  ~Run();

  // Until it ends. The command's exit status; 128+N when signal N killed it, 124 after a time-out,
  // 126 and 127 when the command could not be executed or found, and 125 when shadow could not
  // isolate it and started nothing, which it then says on `err` (a command may end with 125, too).
  // Once; throws Failure (Invalid) the second time.
  int wait();

  // Passed on to the command; nothing once it has ended. May be called while another thread waits.
  void signal(int number) const noexcept;

  // Readable, for poll(2), once it has ended: wait() returns at once then. Borrowed from this.
  [[nodiscard]] int descriptor() const noexcept { return process_; }

 private:
  friend class Session;
  explicit Run(pid_t pid, int process) noexcept : pid_{pid}, process_{process} {}
  void end() noexcept;
  pid_t pid_ = -1;  // until it was waited for
  int process_ = -1;
};

// The session of one agent in one project. It comes to be with its first run; every other call
// throws Failure (NoSession) before that. Nothing is kept open in between: each call finds the
// session as it is by then, finishes what was interrupted, and waits for the records of runs that
// ended, as every command does.
class Session {
 public:
  [[nodiscard]] const std::string& project() const noexcept;  // canonical
  [[nodiscard]] const std::string& agent() const noexcept;

  [[nodiscard]] bool exists() const;

  // Starts the installed `shadow run` in the project. `command` has at least one word and is looked
  // up in PATH. Throws Failure (NotStarted).
  [[nodiscard]] Run start(const std::vector<std::string>& command,
                          const RunOptions& options = {}) const;

  // What the session changed, sorted by path. What lies in a git directory is not among it. Throws
  // Failure (Nothing) when a path selects no change.
  [[nodiscard]] std::vector<Change> changes(const Paths& paths = Paths::all()) const;

  // What an apply would write, as a patch that `git apply` takes, binary files included: what is in
  // conflict, or ignored, is left out. Rights beyond "executable", empty directories and commits
  // are in no patch: plan() lists all that will be written. Counts as shown: an apply writes what
  // is in it or, when the session went on, nothing (Kind::Unseen). Throws like changes().
  [[nodiscard]] std::string patch(const Paths& paths = Paths::all()) const;

  // What an apply would do. Nothing is written; conflicts and sensitive changes are data here.
  [[nodiscard]] Plan plan(const ApplyOptions& options = {}) const;

  // Takes back the apply (or undo) of this number, or this session's newest that is not undone.
  // Never overwrites what somebody changed since. Throws Failure (Nothing) when there is none, it
  // was taken back already, or is another session's. The session need not exist any more.
  Undone undo(std::optional<std::int64_t> id = std::nullopt) const;

  // The applies and undos of the project, of all sessions, newest first.
  [[nodiscard]] std::vector<ApplyRecord> history() const;

  // Drops changes, or with Paths::all() the session with all that it has: there is no way back. The
  // project is not written to. Returns how many changes, 0 of a whole session. Throws Failure: Busy
  // when the session is live and `live` says Refuse, or a run has one of the paths open.
  std::uint64_t discard(const Paths& paths, LiveRuns live = LiveRuns::Refuse) const;

 private:
  friend class State;
  explicit Session(std::shared_ptr<const SessionHandle> handle);
  std::shared_ptr<const SessionHandle> handle_;
};

// A state directory, in which all sessions are.
class State {
 public:
  // Where the command line has it: $SHADOW_STATE_DIR, the configuration, XDG_STATE_HOME. Made when
  // it is missing. Throws Failure: Inside; Trouble when others may write to it; System.
  [[nodiscard]] static State open(Sinks sinks = {});

  // The same at this absolute path.
  [[nodiscard]] static State at(const std::string& path, Sinks sinks = {});

  [[nodiscard]] const std::string& path() const noexcept;  // canonical

  // The session of this agent in this directory, which is the project; it need not exist yet.
  // Throws Failure: Invalid for an empty name and for what can be no project (the home, `/`, what
  // contains the state), System when the directory cannot be opened.
  [[nodiscard]] Session session(const std::string& project, const std::string& agent) const;

 private:
  explicit State(std::shared_ptr<const StateHandle> handle);
  std::shared_ptr<const StateHandle> handle_;
};

}  // namespace shadow::workspace
