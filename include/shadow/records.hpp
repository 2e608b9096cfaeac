// SPDX-License-Identifier: MIT
// Sessions and runs as they are on record. Times are nanoseconds since the epoch.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow {

// A session: one agent's in one project.
struct SessionRecord {
  std::string id;       // 16 hex digits
  std::string project;  // canonical absolute path
  std::string agent;    // a name: free text
  std::int64_t created_ns = 0;
  std::int64_t used_ns = 0;  // when its latest run began
  std::string note;          // a warning: the machine stopped during a run; "" for none
};

// One in a list of all sessions. The numbers are those of the last look at the session, unknown
// until one.
struct ListedSession {
  SessionRecord session;
  std::optional<std::uint64_t> changed;     // paths an apply could take; unknown without a project
  std::optional<std::uint64_t> bytes;       // in the project's layer
  std::optional<std::uint64_t> home_bytes;  // in the home layer
  std::int64_t counted_ns = 0;              // when that look was; 0: never
  bool outdated = false;                    // the session may have changed since
  bool live = false;                        // at least one of its runs goes on
  bool project_missing = false;             // no directory is at the project's path
  bool project_replaced = false;            // by another directory at its path
};

// Why a run ended.
enum class RunEnding : std::uint8_t {
  Own,         // its command ended, or a signal killed it
  TimedOut,    // of the limit `timeout`
  Terminated,  // `shadow run` was asked to end, or its parent ended
  Memory,      // by the kernel, at the limit `memory`
  Killed,      // from outside, or with its supervisor
  NotStarted,  // the namespaces could not be made; no command ran
};

// How far a run is.
enum class RunState : std::uint8_t {
  Running,  // no end of it is on record: it goes on, or was killed with its supervisor
  Ended,
  Settled  // what it changed is recorded too
};

// "" for Own; else the word of shadow(1) and of the JSON output ("timeout", "not started", ...).
[[nodiscard]] std::string_view name_of(RunEnding ending);

// One wrapped command.
struct RunRecord {
  std::int64_t id = 0;            // its number, which no other run of this state ever gets
  std::string session;            // SessionRecord::id
  std::vector<std::string> argv;  // the command and its arguments, raw bytes
  std::string cwd;                // absolute path that it began in
  std::string policy = "{}";      // what it ran with, as JSON: its profile, and what has_settings()
  std::int64_t started_ns = 0;
  std::optional<std::int64_t> ended_ns;   // none while it is Running
  std::optional<std::int64_t> exit_code;  // 0 to 255; none while it is Running, or if it was killed
  std::optional<std::int64_t> signal;     // the number of the one that killed it; else none
  RunEnding ending = RunEnding::Own;
  std::int64_t memory_kills = 0;   // its processes that the kernel killed at the limit `memory`
  std::int64_t forks_refused = 0;  // at the limit `pids`
  std::string limits_note;  // which limits were kept in a lesser way than asked, or not; or ""
  std::string denied;       // connections that --net=allow refused: "COUNT DESTINATION", one a line
  RunState state = RunState::Running;
};

// True if the run had any setting but those of the profile `default`: `policy` names them then.
[[nodiscard]] bool has_settings(const RunRecord& run);

// The real paths that its command could write (`run --rw`): what it did there no review shows.
[[nodiscard]] std::vector<std::string> writable_paths(const RunRecord& run);

// Runs of one session, by number.
struct RunRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// What a run did to a path: made or changed it, or deleted it.
enum class RunEffect : std::uint8_t { Written, Deleted };

// "written" or "deleted".
[[nodiscard]] std::string_view name_of(RunEffect effect);

// A path that a run changed.
struct RunChange {
  std::string path;  // relative to the project, raw bytes
  RunEffect what = RunEffect::Written;
  std::optional<RunRange> among{};  // one of these did it, and nobody knows which
};

// One in the log of a session.
struct LoggedRun {
  RunRecord run;
  std::int64_t files = 0;  // how many it changed
  bool live = false;

  // The requested paths that this run or another one changed.
  std::vector<RunChange> unsure{};
};

// One run in full.
struct ShownRun {
  LoggedRun run;
  std::vector<RunChange> changes;
};

// Whether a collection removes what it finds, or only says what it would.
enum class GcMode : std::uint8_t { DryRun, Remove };

// Unneeded things that were removed, or would be.
struct GcReport {
  // Sessions whose project or files are gone, or empty ones of a replaced project.
  std::vector<SessionRecord> sessions;
  std::vector<SessionRecord> live;  // of those, still running: left
  std::vector<SessionRecord> held;  // of those, with work, and used of late: left
  std::int64_t applies = 0;         // too old to be undone
  std::int64_t runs = 0;            // too old to be remembered
  std::uint64_t trash = 0;          // discarded directories that were not deleted yet
  std::uint64_t blobs = 0;          // contents that nothing refers to
  std::uint64_t blob_bytes = 0;     // their size together
};

}  // namespace shadow
