// SPDX-License-Identifier: MIT
// The state behind Changes and Showing.

#pragma once

#include "shadow/patch.hpp"
#include "shadow/review.hpp"

#include "apply/shown/shown.hpp"
#include "changes/patch_files.hpp"
#include "workspace/call/handle.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

// True if an apply of all that goes together writes it: neither in conflict, nor dependent on what
// is.
[[nodiscard]] bool is_written(const ReviewItem& item);

// Does not move: the notes borrow the files.
class ShowingHandle {
 public:
  // `held` keeps what the files borrow.
  ShowingHandle(std::shared_ptr<const ReviewHandle> of, std::vector<ReviewItem> conflicts,
                std::vector<PatchFile> files, std::shared_ptr<const void> held = {});

  [[nodiscard]] const std::vector<ReviewItem>& conflicts() const { return conflicts_; }
  [[nodiscard]] const changes::ConflictSides& sides(std::size_t conflict) const {
    return sides_.at(conflict);
  }

  void write_session_side(std::size_t conflict, const PatchOptions& options, const PatchSink& sink);
  void write(const PatchOptions& options, const PatchSink& sink);

  // All was written.
  void whole() { notes_.whole(); }

  // Keeps what was; only the first time. With a note where that fails.
  void keep();
  void try_keep() noexcept;
  void forget() { kept_ = true; }

 private:
  std::shared_ptr<const ReviewHandle> of_;
  std::shared_ptr<const void> held_;
  std::vector<ReviewItem> conflicts_;
  std::vector<changes::ConflictSides> sides_;
  std::vector<PatchFile> files_;
  std::vector<PatchFile> shown_;
  apply::ShownNotes notes_;
  bool kept_ = false;
};

class ChangesHandle {
 public:
  ChangesHandle(std::shared_ptr<const ReviewHandle> of, std::vector<ReviewItem> items,
                TooDeep too_deep, Shown shown, std::vector<std::string> new_repositories = {});

  [[nodiscard]] const std::shared_ptr<const ReviewHandle>& of() const { return of_; }
  [[nodiscard]] const session::ReviewSession& session() const { return of_->session; }
  [[nodiscard]] const std::vector<ReviewItem>& items() const { return items_; }
  [[nodiscard]] const TooDeep& too_deep() const { return too_deep_; }
  [[nodiscard]] const std::vector<std::string>& new_repositories() const {
    return new_repositories_;
  }
  [[nodiscard]] const std::vector<PatchFile>& files() const;  // made when they are first needed

  // Shows what an apply writes, and of the rest the two sides.
  [[nodiscard]] std::unique_ptr<ShowingHandle> show() const;

 private:
  std::shared_ptr<const ReviewHandle> of_;
  std::vector<ReviewItem> items_;
  TooDeep too_deep_;
  Shown shown_;
  std::vector<std::string> new_repositories_;
  mutable std::optional<std::vector<PatchFile>> files_;
};

}  // namespace shadow
