// SPDX-License-Identifier: MIT
// A session's changes as a person reviews them: each with what the project's rules and the
// project's own state have to say about it.

#pragma once

#include "shadow/change.hpp"
#include "shadow/rare_text.hpp"
#include "shadow/resolution.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace shadow {

// The kind of a path decides where it is shown and whether an apply takes it.
enum class Standing : std::uint8_t {
  Normal,
  Ignored,  // by git's rules, and not tracked: applied only when asked for
  GitDir    // `.git` or something in it: reviewed as commits
};

// The change of the real path since the session took its base.
enum class Drift : std::uint8_t {
  None,
  Changed,   // by someone else
  Appeared,  // the session saw nothing there
  Vanished   // the session's file was made from one that is gone
};

// The session's starting point: the real file as it was then, and the blob that holds its text.
struct KeptBase {
  Entry entry;
  std::string blob;
};

// One change, and what is to be said of it.
struct ReviewItem {
  Change change;
  Standing standing = Standing::Normal;
  Drift drift = Drift::None;
  RareText sensitive;  // why a person should look twice; empty when there is no reason
  RareText judged;     // where there is none by what the file says: that text's digest (BLAKE2b)
  RareText remark;     // what the file is to others (instructions for agents); stops nothing

  // Of a file that was moved, when others may read it at its new place who could not at its old
  // one: "mode 600 became 644". A patch shows the move and no content.
  RareText widened;

  // For a drifted path: what an apply makes of the two changes. For others Write or Delete. Nothing
  // for a directory that the project deleted, when the session only changed what is in it.
  Resolution resolution;

  // The path of a conflict without which this cannot be written (a path below, a file moved there,
  // another name of it), or of what else stays in the session and would have to go. Empty for most.
  RareText depends_on;

  // For an ignored path: the topmost directory that is ignored as a whole, or the path itself. For
  // one in a git directory: its place in such a directory.
  RareText fold;

  // Set for a drifted file whose base is kept; else null.
  std::shared_ptr<const KeptBase> base;
};

// From what to what a patch of a drifted path goes.
enum class Shown : std::uint8_t {
  Written,  // from the real file to what an apply makes of it, where the two sides go together
  Session   // from the base to the view: what the session did
};

// A git directory that the session made, "sub/.git", of which the project has nothing.
struct NewGitDir {
  std::string path;
  bool ignored = false;  // it lies in a directory that git ignores
};

// Says why a person should look twice where a file gets another text than the session's: a merge,
// or a part of the change.
using JudgeText = std::function<std::string(const Change& change, std::string text)>;

// Sorted by path as a ChangeSet is.
struct ReviewSet {
  std::vector<ReviewItem> items;

  // Entries of the session that are the base still, while the project has another one by now: no
  // changes of the session, but they hide the project's.
  std::vector<ReviewItem> behind{};

  // Paths that both sides deleted and the session first moved: that the new name is a conflict
  // rests on its deletion of the old one.
  std::set<std::string> moved_gone{};

  TooDeep too_deep{};
  std::vector<NewGitDir> new_git_dirs{};

  // Git directories of the project's, and files of that name, in directories that the session
  // changed. They stay whatever the session made of them, unless their deletion is allowed by name.
  std::vector<std::string> old_git_dirs{};

  JudgeText judge_text{};  // borrows the session

  // True if the session has no change; the other lists may have something.
  [[nodiscard]] bool empty() const { return items.empty(); }
};

// The items that are worth a line: a directory that was added or deleted is shown by what is in it,
// unless it is empty or its rights are more than the usual.
[[nodiscard]] std::vector<ReviewItem> listable(std::vector<ReviewItem> items);

// The same of items that are borrowed.
[[nodiscard]] std::vector<const ReviewItem*> listable(std::vector<const ReviewItem*> items);
// Pointers to the items, for what lists borrowed ones: they are good as long as `items` stays as it
// is.
[[nodiscard]] std::vector<const ReviewItem*> borrowed(const std::vector<ReviewItem>& items);

// "normal", "ignored", "git-dir"; "none", "changed", "appeared", "vanished".
[[nodiscard]] const char* to_word(Standing standing);
[[nodiscard]] const char* to_word(Drift drift);

}  // namespace shadow
