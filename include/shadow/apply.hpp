// SPDX-License-Identifier: MIT
// Promotion: the plan of what will be written to the real tree, its execution as one transaction,
// and undo.

#pragma once

#include "shadow/change.hpp"
#include "shadow/rare_text.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

namespace store {
class Database;
}

// What one step does to the real path.
enum class Action : std::uint8_t {
  MakeDirectory,    // parents have steps of their own before it
  SetAttributes,    // mode, user.* attributes and ACLs of an existing entry, content as it is
  Write,            // a regular file: staged beside the target, then renamed over it
  WriteLink,        // a symlink, FIFO or socket, staged likewise
  HardLink,         // link(2) to `link_to`, staged likewise
  Delete,           // a non-directory: renamed to its staging name, removed at the end
  RemoveDirectory,  // an empty directory (its children have steps before it)
};

// "write", "delete", ... for --dry-run and --json.
[[nodiscard]] const char* to_word(Action action);

using Xattrs = std::map<std::string, std::string>;

// What an earlier apply kept of one of its steps, by the number of both.
struct PreImage {
  std::int64_t apply = 0;
  std::int64_t ord = 0;
};

// One step: turns `before` (what the real tree has now) into `after`. Of a Write the content is
// `bytes` when set (merged or edited text), else that of the open file `source_fd` (borrowed), else
// that of `pre_image`, else that of the blob `blob`, else that of the upper's file at
// `source_path`. The user.* attributes and the ACLs (by their names, system.posix_acl_access and
// _default) are `xattrs` when set, else those of the upper's entry at `source_path`, else none. Of
// an entry that was made anew in the view and has no ACL those of `before` stay.
struct Step {
  std::string path;
  Action action = Action::Write;
  Entry before;
  Entry after;
  std::string source_path;
  std::optional<std::string> bytes;
  std::optional<PreImage> pre_image;
  int source_fd = -1;
  RareText blob;
  std::optional<Xattrs> xattrs;
  bool restores = false;  // brings back what was there: its group, and all bits of its mode
  RareText link_to;

  // What a review showed of the path, as the digest of overlay::arrival; empty: nothing. What is
  // written must be that, or `bytes` must be made of a version of the session that is: `made_of`.
  std::string shown;
  RareText made_of;
};

// Ordered so that it can be done from first to last: deletions first (children before parents, also
// those that make room for another type), then directories (parents before children), files, hard
// links, and attributes of directories last (children before parents).
struct ApplyPlan {
  std::vector<Step> steps;
};

// The steps that promote these changes. Pure. A device node has no step; whoever shows the plan
// names it (an ordinary user cannot make one).
[[nodiscard]] ApplyPlan plan_apply(const std::vector<Change>& changes);

// Adds those of one change, in no order yet. Pure.
void add_steps(std::vector<Step>& steps, const Change& change);

// Puts steps that came from elsewhere (merged files, a choice of hunks) into that order.
void order_steps(std::vector<Step>& steps);

// Where an apply takes place: the state directory, the project's canonical path, and the database
// of that state directory (borrowed).
struct ApplySite {
  std::string state;
  std::string project;
  store::Database& database;
};

// What the real tree has after the apply at one path of the plan (Absent after a deletion), and the
// hash of a file's content: the session's new base. `narrowed`: its group may do less than was
// planned, because it could not have the ACL, or the group, that the rights were for.
struct AppliedPath {
  std::string path;
  Entry now;
  std::string hash;
  bool narrowed = false;
};

// Writes down what follows from an apply, by its number, in the transaction that makes it done:
// either both hold after a crash or neither. It only uses the site's database.
using RecordOutcome = std::function<void(std::int64_t apply, const std::vector<AppliedPath>&)>;

struct ApplyRequest {
  std::string session;
  ApplyPlan plan;
  int upper = -1;           // root of the session's project layer; not needed without source paths
  bool keep_mtime = false;  // files take the upper's mtime; else it is now, so that make(1) sees it
  RecordOutcome record;
};

struct ApplyResult {
  std::int64_t id = 0;  // 0: the plan was empty
  std::vector<AppliedPath> paths;

  // Not empty when the tree is wholly written, but putting the pre-images away failed for this
  // reason; the next command goes on with it.
  std::string unfinished;
};

// Does all of the plan or nothing. Before anything is written, every path is compared with the
// step's `before`, and again when it has been swapped; a path that is something else by then makes
// the whole apply roll back and throws Error with ExitCode::Conflict and the paths. Throws
// StaleError when a source is not `after` any more or changes while it is read, UnseenError when
// what was staged is not what a step says was shown, Error with
// ExitCode::Refused when another apply of this project goes on for longer than ten seconds, and
// SysError. Finishes or rolls back an interrupted apply of the project first.
ApplyResult execute(const ApplySite& site, const ApplyRequest& request);

struct ApplyRecord {
  std::int64_t id = 0;
  std::string session;
  std::string interlocutor;  // whose session it is, or was
  bool is_undo = false;
  std::optional<std::int64_t> undoes;  // of an undo: the apply it took back
  bool undone = false;
  bool takes_out = false;  // it takes from the project what an apply, at the end, had written
  std::int64_t started_ns = 0;
  std::int64_t ended_ns = 0;
  std::int64_t paths = 0;
  std::vector<std::string> refs;  // of the real repository, that it moved
};

// The project's applies and undos, newest first.
[[nodiscard]] std::vector<ApplyRecord> list_applies(const ApplySite& site);

// One path of a recorded apply.
struct RecordedStep {
  std::string path;
  Action action = Action::Write;
};
[[nodiscard]] std::vector<RecordedStep> steps_of_apply(const ApplySite& site, std::int64_t id);

// A path that an undo leaves as it is, and why.
struct Kept {
  std::string path;
  std::string reason;
};

struct UndoPlan {
  ApplyRecord of;
  ApplyPlan plan;
  std::vector<Kept> kept;
};

// Which apply or undo is meant: `id`, or the newest apply that is not undone; with `session` only
// one of that session. Throws Error: ExitCode::No when there is none, or all of it was taken back
// already; ExitCode::Trouble when no id is given and several sessions have one to take back.
[[nodiscard]] ApplyRecord choose_undo(const ApplySite& site, std::optional<std::int64_t> id,
                                      const std::optional<std::string>& session);

// What takes it back. A path is taken back only where the real entry still is what was written; a
// directory that was made stays when something else is in it. Throws SysError when a
// path cannot be looked at: it is not taken for changed.
[[nodiscard]] UndoPlan plan_undo(const ApplySite& site, const ApplyRecord& of);

// The same for what `choose_undo` finds in any session.
[[nodiscard]] UndoPlan plan_undo(const ApplySite& site, std::optional<std::int64_t> id);

// Executes it, journalled like an apply and in its turn undoable.
ApplyResult execute_undo(const ApplySite& site, const UndoPlan& undo, RecordOutcome record = {});

// Forgets applies that ended before `time_ns`, of all projects: they can no longer be undone, and
// their pre-images become unreferenced. Returns how many.
std::int64_t forget_applies_before(store::Database& database, std::int64_t time_ns);

}  // namespace shadow
