// SPDX-License-Identifier: MIT
// The changes that an apply takes from a session and those it leaves, and what an undo gives back.

#pragma once

#include "shadow/commits.hpp"
#include "shadow/review.hpp"
#include "shadow/steps.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

// Why a change stays in the session.
enum class SkipReason : std::uint8_t {
  Ignored,    // by git's rules
  Sensitive,  // skipped as asked
  GitDir,     // inside of a git directory
  History,    // of a new repository whose commits, or whose index, speak against it
  NotEmpty,   // a directory that was deleted or replaced, while something in it is left
  Device,     // a device node, which an ordinary user cannot make
  Conflict    // the project's version was to stay, here or above
};

// A change that stays in the session.
struct SkippedItem {
  ReviewItem item;
  SkipReason because = SkipReason::Ignored;
};

// The changes of a session as an apply takes or leaves them.
struct ChosenChanges {
  std::vector<ReviewItem> taken;              // sorted by path; with the directories that they need
  std::vector<ReviewItem> conflicts;          // of the taken ones: what stops the apply
  std::vector<ReviewItem> blocked;            // sensitive ones that nothing was said about
  std::vector<SkippedItem> left;              // of the selected ones
  TooDeep too_deep{};                         // left as well
  std::map<std::string, std::string> held{};  // of new repositories, by path: why it stays
};

// "ignored", "sensitive", "git-dir", "history", "not-empty", "device", "conflict".
[[nodiscard]] const char* to_word(SkipReason because);

// True for files that git itself writes as commits are made (refs, objects, logs, the index) in the
// project's own git directory: they are shown as commits, not as files.
[[nodiscard]] bool is_shown_as_commits(const SkippedItem& left);

// The git directory, new in the session, that the item is part of and arrives with, without hooks
// and settings; empty for all else.
[[nodiscard]] std::string new_repository_of(const ReviewItem& item);

// The paths that will not have the session's version, each with the session's text that went into
// what they will have; nullopt where none was read.
using MergedPaths = std::map<std::string, std::optional<std::string>>;

// An apply of files as planned.
struct Promotion {
  std::string place;  // where the caller stands, relative to the project
  ChosenChanges chosen;
  ApplyPlan plan;

  // Paths that get neither version as it is but a merge, or markers.
  MergedPaths merged;

  // The history of each new repository that it brings.
  std::vector<NewHistory> histories{};
};

// A new branch of the project's repository.
struct MadeBranch {
  std::string ref;
  std::string id;           // of its last commit
  std::size_t commits = 0;  // the session's own
  bool more = false;        // there are more of them
  std::size_t files = 0;    // in the commit on top of them; 0: there is none
  std::int64_t apply = 0;   // for undo; 0 of a dry run
  ChosenChanges chosen;
  std::vector<std::string> not_shown;  // paths at which its commits bring what `chosen` does not
};

// The outcome of an undo for the session's side.
struct GivenBack {
  std::size_t pending = 0;         // paths that are changes of the session again
  std::size_t later = 0;           // paths that will be, once the session is idle
  std::vector<std::string> newer;  // paths that the session has written since: its version stays
  bool gone = false;               // there is no session any more
};

// The outcome of an undo of files, for the project and for the session.
struct UndoOutcome {
  ApplyResult result;
  GivenBack session;
};

// An undo of files and refs.
struct TakenBack {
  UndoOutcome files;
  std::vector<UndoneRef> refs;
};

}  // namespace shadow
