// SPDX-License-Identifier: MIT
// Writing to the project, or taking changes out of a session: first looked at as a plan, then done.

#pragma once

#include "shadow/parts.hpp"
#include "shadow/patch_text.hpp"
#include "shadow/promotion.hpp"
#include "shadow/workspace_changes.hpp"
#include "shadow/workspace_types.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shadow {
struct PlanHandle;      // private
struct PartsHandle;     // private
struct ReversalHandle;  // private
struct DiscardHandle;   // private
}  // namespace shadow

namespace shadow::workspace {

class Commits;

// An apply as planned: looked at once, and written as it was looked at or not at all. Keeps the
// session open, and no lock: the session and the project may go on meanwhile, which execute() finds
// out.
class Plan {
 public:
  // What becomes of files, in this order, and of refs; and whether that is anything at all.
  [[nodiscard]] const std::vector<PlannedStep>& steps() const;
  [[nodiscard]] const std::vector<PlannedRef>& refs() const noexcept;
  [[nodiscard]] bool writes_anything() const noexcept;

  // Nothing is written while one of these two has an entry.
  [[nodiscard]] const std::vector<Reason>& conflicts() const noexcept;
  [[nodiscard]] const std::vector<Reason>& sensitive() const noexcept;

  // Paths at which commits have files that show() does not show, such as one that a later commit
  // took away again.
  [[nodiscard]] const std::vector<std::string>& not_shown() const noexcept;

  // Selected changes that stay in the session, each with the reason.
  [[nodiscard]] const std::vector<Reason>& left() const noexcept;

  // The whole plan in detail.
  [[nodiscard]] const Promotion& promotion() const noexcept;

  // The changes that stay because of a conflict of their own, where that was asked for
  // (OnConflict::Skip).
  [[nodiscard]] std::vector<ReviewItem> skipped() const;

  // Remarks about the commits, in sentences for a person; and the commits that go along.
  [[nodiscard]] const std::vector<std::string>& remarks() const noexcept;
  [[nodiscard]] Commits commits() const;

  // The commits of new repositories that bring files which show() does not show.
  [[nodiscard]] std::vector<Commits> commits_of_new_repositories() const;

  // How much of what is written can be shown as a patch, and how much of that never was.
  [[nodiscard]] Looked looked() const noexcept;

  // The files that will be written, as a patch; nothing while something stands in its way. The
  // patch counts as seen for check() as well.
  [[nodiscard]] Showing show() const;

  // Throw Failure as execute() would before it writes. check_choice(): Conflict, Sensitive; it
  // costs nothing. check(): these, and Unseen when the session went on since it was shown; it reads
  // what was shown, so that a person is not asked in vain.
  void check() const;
  void check_choice() const;

  // Writes all of it or nothing; once. Throws Failure: as check() does; Conflict when a path of the
  // project is not what it was when the plan was made; Stale, Busy, System; Invalid the second
  // time. Where Failure::written() says so, done() has what was.
  const Applied& execute();
  [[nodiscard]] const Applied& done() const noexcept;

 private:
  friend class Review;
  friend class ApplyParts;
  explicit Plan(std::shared_ptr<PlanHandle> handle);
  std::shared_ptr<PlanHandle> handle_;
};

// The session's work on a new branch of the project's repository, which its work tree does not see:
// the session's commits, and on top of them one of what it has not committed. It keeps all of it.
struct BranchOptions {
  std::string name;                    // "topic"
  std::optional<std::string> message;  // of the commit on top
  bool dry_run = false;
  ApplyOptions apply;  // what goes: ignored and sensitive changes, also unseen ones
};

// Parts of changes that a person picks from. They are read when they are asked for.
class Parts {
 public:
  // The offers, by their places from 0. The calls below throw Failure (Trouble) for a place that is
  // not below size().
  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] const OfferedChange& at(std::size_t offer) const;

  // The parts of an offer, undecided; `text` becomes the text that an edited hunk must still fit.
  [[nodiscard]] std::vector<Part> of(std::size_t offer, std::string& text) const;

  // Writes the patch of the offer's item, or of one of those that come with it: at most one file.
  // Exceptions of the sink come out of this.
  void write_patch(std::size_t offer, const ReviewItem& item, const PatchOptions& options,
                   const PatchSink& sink) const;

 protected:
  explicit Parts(std::shared_ptr<const PartsHandle> handle);
  [[nodiscard]] const PartsHandle& handle() const { return *handle_; }

 private:
  std::shared_ptr<const PartsHandle> handle_;
};

// The parts of an apply. They were copied: what is shown is what is written, whatever the session
// does meanwhile.
class ApplyParts : public Parts {
 public:
  // Plans an apply of the taken parts and nothing else. A part without an answer is refused. Parts
  // that were shown (Part::seen) count as seen. Throws Failure (Sensitive) when a part is, other
  // than the whole, and was not allowed.
  [[nodiscard]] Plan plan(const std::vector<DecidedParts>& decided) const;

 private:
  friend class Review;
  using Parts::Parts;
};

// The parts of a session's changes.
class DiscardParts : public Parts {
 public:
  // Drops the taken parts from the session. Throws Failure (Stale), having written nothing,
  // when the session went on; Busy when a run has one of the files open for writing.
  void discard(const std::vector<DecidedParts>& decided) const;

 private:
  friend class Review;
  using Parts::Parts;
};

// A discard as planned.
class DiscardPlan {
 public:
  // The changes that it would drop, one for each line of a list.
  [[nodiscard]] const std::vector<ReviewItem>& items() const noexcept;

  // Makes the session at these paths what the project has there. There is no way back. Throws
  // Failure: Busy when a run has one of the paths open for writing and `live` says Refuse.
  void execute(LiveRuns live = LiveRuns::Refuse) const;

 private:
  friend class Review;
  explicit DiscardPlan(std::shared_ptr<const DiscardHandle> handle);
  std::shared_ptr<const DiscardHandle> handle_;
};

// An undo as planned.
class Reversal {
 public:
  // What is taken back, what that writes, and what stays because somebody has changed it since.
  [[nodiscard]] const UndoPlan& plan() const noexcept;

  // What comes to act on the user's side by it without being asked to: what an agent brought and
  // the undo writes again or completes, never what only gives the user's own files back.
  [[nodiscard]] std::vector<Reason> sensitive() const;

  // Allows these and what is below them, or all of them.
  void allow_sensitive(const Paths& paths = Paths::all());

  // Throws Failure (Sensitive), as execute() would, when something sensitive was not allowed.
  void check() const;

  // Does it: journalled like an apply and in its turn undoable. Never overwrites what somebody
  // changed since. Throws Failure: Sensitive as check() does; Conflict, having written nothing,
  // when a path is not what it was when the undo was planned.
  TakenBack execute() const;

 private:
  friend class Project;
  friend class Session;
  explicit Reversal(std::shared_ptr<ReversalHandle> handle);
  std::shared_ptr<ReversalHandle> handle_;
};

}  // namespace shadow::workspace
