// SPDX-License-Identifier: MIT
// Promotion: the plan of what will be written to the real tree, its execution as one transaction,
// and undo.

#pragma once

#include "shadow/steps.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace shadow {

namespace store {
class Database;
}

// Adds the steps that promote one change, in no order yet. Pure. A device node has no step; whoever
// shows the plan names it (an ordinary user cannot make one).
void add_steps(std::vector<Step>& steps, const Change& change);

// Puts the steps of a plan, also those that came from elsewhere (merged files, a choice of hunks),
// into the order in which they can be done. Pure.
void order_steps(std::vector<Step>& steps);

// The place of an apply: the state directory, the project's canonical path, and the database of
// that state directory (borrowed).
struct ApplySite {
  std::string state;
  std::string project;
  store::Database& database;
};

// What the real tree has after the apply at one path of the plan (Absent after a deletion), and the
// hash of a file's content: the session's new base. `before` is that of the first step there.
struct AppliedEntry {
  const std::string& path;
  const Entry& before;
  Entry now;
  std::string hash;
};

// Calls the function for each path of an apply, in their order. All at once they would be held a
// second time.
using EachApplied = std::function<void(const std::function<void(const AppliedEntry&)>&)>;

// Writes down what follows from an apply, by its number, in the transaction that makes it done:
// either both hold after a crash or neither. It only uses the site's database.
using RecordOutcome = std::function<void(std::int64_t apply, const EachApplied& each)>;

struct ApplyRequest {
  std::string session;
  int upper = -1;           // root of the session's project layer, if a step is from the session
  bool keep_mtime = false;  // files take the upper's mtime; else it is now, so that make(1) sees it
  RecordOutcome record;
};

// Does all of the plan or nothing. Before anything is written, every path is compared with the
// step's `before`, and again when it has been swapped; a path that is something else by then makes
// the whole apply roll back and throws Error with ExitCode::Conflict and the paths. Throws
// StaleError when a source is not `after` any more or changes while it is read, UnseenError when
// what was staged is not what a step says was shown, Error with
// ExitCode::Refused when another apply of this project goes on for longer than ten seconds, and
// SysError. Finishes or rolls back an interrupted apply of the project first.
ApplyResult execute(const ApplySite& site, const ApplyPlan& plan, const ApplyRequest& request);

// The project's applies and undos, newest first.
[[nodiscard]] std::vector<ApplyRecord> list_applies(const ApplySite& site);

// Which apply or undo is meant: `id`, or the newest apply that is not undone; with `session` only
// one of that session. Throws Error: ExitCode::No when there is none, or all of it was taken back
// already; ExitCode::Trouble when no id is given and several sessions have one to take back.
[[nodiscard]] ApplyRecord choose_undo(const ApplySite& site, std::optional<std::int64_t> id,
                                      const std::optional<std::string>& session);

// Files that an apply moved: by the new name, the old one.
using MovedFrom = std::map<std::string, std::string>;

// Finds those of which the old name is among the paths.
using FindMoved = std::function<MovedFrom(const std::set<std::string>& old_names)>;

// The plan of its undo. A path is taken back only where the real entry still is what was written; a
// directory that was made stays when something else is in it, and so does a file that was moved
// from where nothing can be put back, because its text would be nowhere in the project. Throws
// SysError when a path cannot be looked at: it is not taken for changed.
[[nodiscard]] UndoPlan plan_undo(const ApplySite& site, const ApplyRecord& of,
                                 const FindMoved& find_moved);

// Executes it, journalled like an apply and in its turn undoable.
ApplyResult execute_undo(const ApplySite& site, const UndoPlan& undo, RecordOutcome record = {});

// Forgets applies that ended before `time_ns`, of all projects: they can no longer be undone, and
// their pre-images become unreferenced. Returns how many.
std::int64_t forget_applies_before(store::Database& database, std::int64_t time_ns);

}  // namespace shadow
