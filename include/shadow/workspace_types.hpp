// SPDX-License-Identifier: MIT
// Arguments and results of libshadow (workspace.hpp).

#pragma once

#include "shadow/commits.hpp"
#include "shadow/steps.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace shadow::workspace {

// The stages of a call. Not every call has every stage.
enum class Stage : std::uint8_t {
  Opening,    // recovery, records of runs that ended, clean-up that was put off
  Reading,    // comparing the session with the project
  Writing,    // the project is being written; `items` steps
  CleaningUp  // the files of a discarded session are deleted
};

// Sinks may be empty. What they throw ends nothing and is lost.
struct Sinks {
  // A remark for a person, while the call goes on: one line, without a line end.
  std::function<void(const std::string& text)> note;

  // A stage begins. `items` is 0 where the number is not known.
  std::function<void(Stage stage, std::uint64_t items)> progress;
};

// The relation of this process to the library.
enum class Process : std::uint8_t {
  Shared,  // somebody's, with other work than this: nothing of it as a whole is changed

  // Serves one command, as that of the command line: it may have been moved into a user namespace
  // by then, its executable lies where shadow's others do, and children of it may outlast it.
  Own
};

// Paths of a project, each with all that lies below it. Relative to the project's root, raw bytes,
// '/'-separated. They are names and not patterns, unless they were given as patterns: '*' is a
// character.
class Paths {
 public:
  // Everything: the whole session.
  [[nodiscard]] static Paths all();

  // Selects by arguments of the command line: pathspecs as git(7) has them, relative to where in
  // its project the caller stands. Without any, all. The call that takes the paths refuses what
  // makes no sense.
  [[nodiscard]] static Paths matching(std::vector<std::string> pathspecs);

  // Throws Failure (Invalid) for an empty list, which would else be taken for all, and for a path
  // that is empty, absolute, or has a "." or ".." in it.
  [[nodiscard]] static Paths only(std::vector<std::string> paths);

  // As they were given, none for all of them; and whether they are patterns, as of matching().
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  [[nodiscard]] bool are_patterns() const noexcept { return patterns_; }

 private:
  std::vector<std::string> names_;
  bool patterns_ = false;
};

// One path at which the session differs from the project. A directory that was added or deleted is
// represented by what is in it, unless it is empty. `ignored`: by git's rules; an apply leaves it
// unless asked. `sensitive`: why a person should look twice, empty when there is no reason.
// `conflict`: why the session's change and the project's own do not go together, or on which such
// path this one depends; empty when they do.
struct Change {
  std::string path;
  ChangeKind kind = ChangeKind::Modified;
  bool ignored = false;
  std::string sensitive;
  std::string conflict;
};

// The treatment of paths that session and project both changed: `--on-conflict`.
enum class OnConflict : std::uint8_t {
  Configured,  // what the user's configuration says: Merge unless it says something else
  Stop,        // nothing at all is written
  Merge,       // what goes together is merged; nothing is written when something does not
  Skip,        // what does not go together stays in the session
  Ours,        // the project's version stays; the session keeps its own
  Theirs,      // the session's version is written
  Markers      // both versions of the lines, between markers
};

// What an apply takes, and how.
struct ApplyOptions {
  Paths paths = Paths::all();
  OnConflict on_conflict = OnConflict::Configured;
  bool ignored = false;  // also what git ignores

  // Sensitive changes at or below these; all of them but those in a git directory; or none of them,
  // and the rest is applied.
  std::optional<Paths> allow_sensitive_at;
  bool allow_sensitive = false;
  bool skip_sensitive = false;

  bool commits = true;      // move branches that the session committed to; of a whole apply only
  bool unseen = false;      // also what is not what was shown last
  bool keep_mtime = false;  // files take the session's modification time; else it is now
};

// "write", "delete", "make directory", ...: what will be done to one path of the project.
struct PlannedStep {
  std::string path;
  std::string action;
};

// A path, and why it is in the list.
struct Reason {
  std::string path;
  std::string why;
};

// The number of an apply's changes that can be shown as a patch, and of those that never were; and
// of the refs that it brings commits to, and of those whose commits never were.
struct Looked {
  std::uint64_t patches = 0;
  std::uint64_t never = 0;
  std::uint64_t refs = 0;
  std::uint64_t never_refs = 0;
};

// The result of an apply. `id` is its number for undo(), 0 if there was nothing to write.
struct Applied {
  std::int64_t id = 0;
  std::vector<AppliedPath> paths;
  CommitOutcome commits;
};

// The result of an undo. `id` is its own number, by which it can be undone in turn. `kept` are
// paths and refs that somebody has changed since the apply: they are left as they are.
struct Undone {
  std::int64_t id = 0;
  std::int64_t of = 0;
  std::vector<std::string> paths;
  std::vector<Reason> kept;
};

// Settings of the user's configuration for programs that show things to a person.
struct Settings {
  bool pager = true;
};

// The treatment of live runs that are in the way: the call throws Failure (Busy), or ends them.
enum class LiveRuns : std::uint8_t { Refuse, End };

// Descriptors are borrowed until start() returns; the command has no others.
struct RunOptions {
  int in = 0;
  int out = 1;
  int err = 2;

  // Further words of `shadow run`, such as "--net=none"; see shadow(1).
  std::vector<std::string> policy;
};

}  // namespace shadow::workspace
