// SPDX-License-Identifier: MIT
// Rows of the tables `applies` and `apply_steps`: the journal.

#pragma once

#include "shadow/entry.hpp"

#include "store/database/database.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace shadow::store {

// The state of an apply or undo. promote/journal/lifecycle.hpp has the transitions.
enum class ApplyState : std::uint8_t { Staging, Swapping, Done, Undone };

struct ApplyRow {
  std::int64_t id = 0;
  std::string session;
  std::string project;
  std::optional<std::int64_t> undoes;  // of an undo: what it took back
  ApplyState state = ApplyState::Staging;
  std::int64_t started_ns = 0;
  std::optional<std::int64_t> ended_ns;
  std::string agent;  // kept after the session is gone
};

// Identifies a staged file wherever it is renamed to.
struct StagedIdentity {
  std::uint64_t ino = 0;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
};

struct ApplyStepRow {
  std::int64_t ord = 0;
  std::string path;
  std::string action;
  std::string staged;
  StagedIdentity staged_as;
  Entry before;  // kind, mode, uid, gid, size, ino, mtime, ctime, target
  std::map<std::string, std::string> before_xattrs;
  std::string before_blob;
  Entry after;  // kind, mode, target
  std::string after_hash;
};

// Makes the row of a step when it is asked for, by its place in the order: all of them at once
// would take much memory.
using StepAt = std::function<ApplyStepRow(std::size_t index)>;

// Inserts the apply; sets row.id.
void add_apply(Database& db, ApplyRow& row);
void add_steps(Database& db, std::int64_t apply, std::size_t count, const StepAt& at);
// Writes state, ended_ns of row.id.
void update_apply(Database& db, const ApplyRow& row);
// Writes what staging found out: staged_as, after.mode, after_hash.
void update_staged(Database& db, std::int64_t apply, std::size_t count, const StepAt& at);
void set_before_blob(Database& db, std::int64_t apply, const ApplyStepRow& step);
void delete_apply(Database& db, std::int64_t id);

[[nodiscard]] std::optional<ApplyRow> find_apply(Database& db, std::int64_t id);
// The session's agent; where it was discarded, that of the apply which is undone; "" if neither
// tells.
[[nodiscard]] std::string agent_of_apply(Database& db, const std::string& session,
                                         const std::optional<std::int64_t>& undoes);
// Newest first.
[[nodiscard]] std::vector<ApplyRow> applies_of_project(Database& db, const std::string& project);
// The applies that are neither ended nor rolled back, oldest first.
[[nodiscard]] std::vector<ApplyRow> unended_applies(Database& db, const std::string& project);
// Reads one step after the other: an apply may have a million of them. The function must not write
// to the table.
enum class StepOrder : std::uint8_t { Forward, Backward };
void each_step(Database& db, std::int64_t apply, StepOrder order,
               const std::function<void(ApplyStepRow& step)>& look);
[[nodiscard]] std::size_t count_steps(Database& db, std::int64_t apply);
[[nodiscard]] std::int64_t count_paths(Database& db, std::int64_t apply);

// Deletes those that ended before; how many.
std::int64_t delete_applies_before(Database& db, std::int64_t time_ns);

// Names of all blobs that a base or an apply refers to.
[[nodiscard]] std::set<std::string> referenced_blobs(Database& db);

// Rows of the table `apply_refs`.
struct ApplyRefRow {
  std::string name;
  std::string from;  // empty: it did not exist
  std::string to;    // empty: it was removed
};
void add_apply_ref(Database& db, std::int64_t apply, const ApplyRefRow& row);
void delete_apply_ref(Database& db, std::int64_t apply, const std::string& name);
[[nodiscard]] std::vector<ApplyRefRow> refs_of_apply(Database& db, std::int64_t apply);

}  // namespace shadow::store
