// SPDX-License-Identifier: MIT
// A session's changes, file by file and as patches.

#pragma once

#include "shadow/patch_text.hpp"
#include "shadow/review.hpp"
#include "shadow/workspace_types.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace shadow {
class ShowingHandle;  // private
class ChangesHandle;  // private
}  // namespace shadow

namespace shadow::workspace {

// A patch on its way to a person. What of it was written to its end counts as shown: an apply
// writes that or, when the session went on since, nothing (Kind::Unseen). That is kept with the
// session by finish(), or by the destructor where the writing ended early; where it cannot be, a
// note says so. What a sink throws comes out of the call.
class Showing {
 public:
  Showing(Showing&&) noexcept;
  Showing& operator=(Showing&&) = delete;
  Showing(const Showing&) = delete;
  Showing& operator=(const Showing&) = delete;
  ~Showing();

  // Conflicts and what depends on them, which are in no patch that could be applied. A renamed file
  // is one, by its old name.
  [[nodiscard]] const std::vector<ReviewItem>& conflicts() const noexcept;

  // The two sides of one, by its place in conflicts(): the project's change since the session
  // began, if that is known (else nothing is written); and the session's, from there, or else from
  // the project's file. Throw Failure: Trouble for a place beyond the list; Stale when a file was
  // rewritten since it was looked at.
  [[nodiscard]] bool knows_project_side(std::size_t conflict) const;
  void write_project_side(std::size_t conflict, const PatchOptions& options,
                          const PatchSink& sink) const;
  void write_session_side(std::size_t conflict, const PatchOptions& options, const PatchSink& sink);

  // All else: what an apply would write. Throws Failure (Stale) likewise.
  void write(const PatchOptions& options, const PatchSink& sink);

  // All was written: also what the patch has nothing to say of counts as shown.
  void finish();

  // Nobody will see what was written: none of it counts as shown.
  void forget() noexcept;

 private:
  friend class Changes;
  friend class Plan;
  explicit Showing(std::unique_ptr<ShowingHandle> handle);
  std::unique_ptr<ShowingHandle> handle_;
};

// Changes as they were when they were looked at; contents are read when they are asked for. None of
// them lies in a git directory. Rights beyond "executable", empty directories and commits are in no
// patch.
class Changes {
 public:
  // Sorted by path. And the entries that are no items, because no program can name them.
  [[nodiscard]] const std::vector<ReviewItem>& items() const noexcept;
  [[nodiscard]] const TooDeep& too_deep() const noexcept;

  // Git directories that the session made in or above these, or at the top, where the project has
  // none. Sorted.
  [[nodiscard]] std::vector<std::string> new_repositories() const;

  // True if any of them is in a patch.
  [[nodiscard]] bool have_patch() const;

  // A row for each file of the patch, in its order. Throws Failure (Stale) when a file that is read
  // for it was rewritten since it was looked at.
  [[nodiscard]] std::vector<FileSummary> summarize(const PatchOptions& options,
                                                   CountLines count) const;

  // Writes the session's changes, or what an apply would write, as was asked for. Does not count as
  // shown. Exceptions of the sink come out of this. Throws Failure (Stale) as summarize() does.
  void write_patch(const PatchOptions& options, const PatchSink& sink) const;

  // The changes that an apply would write.
  [[nodiscard]] Showing show() const;

 private:
  friend class Review;
  explicit Changes(std::shared_ptr<const ChangesHandle> handle);
  std::shared_ptr<const ChangesHandle> handle_;
};

// Selects changes of a session.
struct ChangesOptions {
  Paths paths = Paths::all();
  bool ignored = false;          // also what git ignores
  Shown shown = Shown::Written;  // of a drifted one: what write_patch() and summarize() tell
};

}  // namespace shadow::workspace
