// SPDX-License-Identifier: MIT
// Commits that a session made, and what becomes of them.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace shadow {

// One commit, as its object tells of it.
struct Commit {
  std::string id;         // 40 hex digits
  std::string author;     // "Name <address>", raw bytes
  std::int64_t time = 0;  // the author's, seconds since the epoch
  std::string subject;    // raw bytes
};

// A commit, and what of the session has it.
struct NewCommit {
  Commit commit;
  std::vector<std::string> branches;  // "main", "tag v1"
};

// A ref of the session's whose commit is another than that of the project's ref of this name.
struct BranchWork {
  // The session's ref, compared with the project's.
  enum class State : std::uint8_t {
    New,         // no ref of that name in the real repository
    Ahead,       // a fast-forward of the real branch
    Diverged,    // neither contains the other
    Deleted,     // gone in the view
    Unreadable,  // the view's ref or an object of its history cannot be read
  };
  std::string branch;  // "main", "tag v1", "stash"; "HEAD" when detached
  std::string ref;     // "refs/heads/main", "refs/tags/v1", "refs/stash"; "HEAD"
  State state = State::Ahead;
  std::string real_id;  // 40 hex digits; empty when there is none
  std::string view_id;  // likewise
  // Commits in the view that no ref of the real repository reaches, newest first, bounded.
  std::vector<Commit> commits;
  bool more = false;     // the bound was reached
  bool arrived = false;  // a branch of the real repository has all that this one has
};

// The history of a repository that the session made: it is applied file by file, with its `.git`.
struct NewHistory {
  std::string git_dir;           // "sub/.git"
  std::vector<BranchWork> rows;  // its refs
  std::string fault;  // why it stays in the session, as the end of a sentence; empty: it does not
  std::string index_fault;             // of what it has staged, which stays in any case
  std::vector<std::string> not_shown;  // paths of its history that the work tree does not tell

  // The files that say which commits it has, and those of its objects, as they were judged; by
  // their paths in the project. The large ones as open files of nobody else, which `held` owns.
  std::map<std::string, std::string> texts;
  std::map<std::string, int> copies;
  std::shared_ptr<const void> held;
};

// Where the commits of a ref go.
enum class CommitFate : std::uint8_t {
  Move,   // the ref itself moves, or is made
  Aside,  // the commits get a ref below refs/shadow/
  Leave   // nothing is written
};

// The action of an apply on one ref.
struct PlannedRef {
  BranchWork work;
  CommitFate fate = CommitFate::Leave;
  std::string why;           // of Aside and Leave, for people
  std::string aside;         // the name below refs/shadow/, as far as it is known
  bool checked_out = false;  // the index of the real work tree follows
  bool already = false;      // of Aside: `aside` has the commits by now
  bool lasting = false;      // of Aside: no later apply of these commits moves the ref either

  // The ref that gets the commits; empty when they stay in the session.
  [[nodiscard]] std::string becomes() const {
    return fate == CommitFate::Move ? work.ref : fate == CommitFate::Aside ? aside : std::string{};
  }
};

// The outcome for one ref.
struct MovedRef {
  PlannedRef item;       // with the fate and the reason that came about
  std::string ref;       // what was written; empty when nothing was
  bool already = false;  // it was there from an apply before
};

// The outcome of an apply for the refs of the project.
struct CommitOutcome {
  std::int64_t apply = 0;  // the apply that undo knows them by; 0 when no ref was written
  std::vector<MovedRef> refs;
  std::vector<std::string> arrived;  // put aside before; removed, since a branch has them by now
};

// One ref that an undo moved back, or left.
struct UndoneRef {
  std::string ref;
  std::string kept_as;   // where the commits are that the branch has no more; may be empty
  std::string why;       // of one that was left
  bool pending = false;  // its commits are the session's again
};

}  // namespace shadow
