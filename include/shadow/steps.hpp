// SPDX-License-Identifier: MIT
// The steps of an apply in the project, and the record of them.

#pragma once

#include "shadow/change.hpp"
#include "shadow/rare.hpp"
#include "shadow/rare_text.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

// The effect of one step on the real path.
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

// The content that an earlier apply kept of one of its steps, by the number of both.
struct PreImage {
  std::int64_t apply = 0;
  std::int64_t ord = 0;
};

// One step: turns `before` (what the real tree has now) into `after`. Of a Write the content is
// `bytes` when set (merged or edited text), else that of the open file `source_fd` (borrowed), else
// that of `pre_image`, else that of the blob `blob`, else that of the upper's file at the path, if
// it is `from_session`. The user.* attributes and the ACLs (by their names, system.posix_acl_access
// and _default) are `xattrs` when set, else those of the upper's entry, else none. Of an entry that
// was made anew in the view and has no ACL those of `before` stay.
struct Step {
  std::string path;
  Action action = Action::Write;
  Entry before;
  Entry after;
  bool from_session = false;
  int source_fd = -1;
  Rare<std::string> bytes;
  Rare<PreImage> pre_image;
  RareText blob;
  Rare<Xattrs> xattrs;
  bool has_attributes = false;      // of a change that has some: see Change
  bool attributes_changed = false;  // and of which they are told
  bool restores = false;  // brings back what was there: its group, and all bits of its mode
  RareText link_to;       // the session's other name; that of a HardLink

  // The digest (overlay::arrival) of what a review showed of the path; empty: nothing. The written
  // bytes must have it, or `bytes` must be made of a version of the session that has it: `made_of`.
  RareText shown;
  RareText made_of;

  // The digest of the session's text by which the change was found to run nothing (ReviewItem); the
  // written bytes must have it. Empty: its content does not matter.
  RareText judged;
};

// Ordered so that it can be done from first to last: deletions first (children before parents, also
// those that make room for another type), then directories (parents before children), files, hard
// links, and attributes of directories last (children before parents).
struct ApplyPlan {
  std::vector<Step> steps;
};

// One path of the plan after the apply. `narrowed`: its group may do less than was planned, because
// it could not have the ACL, or the group, that the rights were for; then `mode` is what it has.
struct AppliedPath {
  std::string path;
  std::uint32_t mode = 0;
  bool narrowed = false;
};

// What an apply, or an undo, did.
struct ApplyResult {
  std::int64_t id = 0;  // its number; 0: the plan was empty
  std::vector<AppliedPath> paths;

  // Not empty when the tree is wholly written, but putting the pre-images away failed for this
  // reason; the next command goes on with it.
  std::string unfinished;
};

// An apply, or an undo of one, as it is on record. Times are nanoseconds since the epoch.
struct ApplyRecord {
  std::int64_t id = 0;  // its number, which no other of this state ever gets
  std::string session;  // SessionRecord::id
  std::string agent;    // whose session it is, or was
  bool is_undo = false;
  std::optional<std::int64_t> undoes;  // of an undo: the apply it took back
  bool undone = false;                 // it was taken back
  bool partly = false;                 // undone, but for paths that the undo left as they were
  bool takes_out = false;  // it takes from the project what an apply, at the end, had written
  std::int64_t started_ns = 0;
  std::int64_t ended_ns = 0;      // 0: not wholly put away yet
  std::int64_t paths = 0;         // how many it wrote or deleted
  std::vector<std::string> refs;  // of the real repository, that it moved
};

// A path that an undo leaves as it is, and why.
struct Kept {
  std::string path;
  std::string reason;
};

// An undo as planned.
struct UndoPlan {
  ApplyRecord of;          // what it takes back
  ApplyPlan plan;          // what it writes
  std::vector<Kept> kept;  // what it leaves
};

}  // namespace shadow
