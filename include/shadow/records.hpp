// SPDX-License-Identifier: MIT
// Sessions and runs as they are on record. Times are nanoseconds since the epoch.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow {

struct SessionRecord {
  std::string id;  // 16 hex digits
  std::string project;
  std::string agent;
  std::int64_t created_ns = 0;
  std::int64_t used_ns = 0;
  std::string note;  // a warning: the machine stopped during a run; "" for none
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
  bool live = false;
  bool project_missing = false;
  bool project_replaced = false;  // by another directory at its path
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

// "" for Own; else the word of shadow(1) and of the JSON output ("timeout", "not started", ...).
[[nodiscard]] std::string_view name_of(RunEnding ending);

struct RunRecord {
  std::int64_t id = 0;
  std::string session;
  std::vector<std::string> argv;
  std::string cwd;
  std::string policy = "{}";  // as `run --print-policy --json` has it
  std::int64_t started_ns = 0;
  std::optional<std::int64_t> ended_ns;
  std::optional<std::int64_t> exit_code;
  std::optional<std::int64_t> signal;
  RunEnding ending = RunEnding::Own;
  std::int64_t memory_kills = 0;
  std::int64_t forks_refused = 0;
  std::string limits_note;
  std::string denied;    // connections that --net=allow refused: "COUNT DESTINATION", one a line
  bool settled = false;  // what it changed is recorded
};

// Runs of one session, by number.
struct RunRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

enum class RunEffect : std::uint8_t { Written, Deleted };

// "written" or "deleted".
[[nodiscard]] std::string_view name_of(RunEffect effect);

struct RunChange {
  std::string path;
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

struct ShownRun {
  LoggedRun run;
  std::vector<RunChange> changes;
};

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
  std::uint64_t blob_bytes = 0;
};

}  // namespace shadow
