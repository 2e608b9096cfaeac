// SPDX-License-Identifier: MIT
#include "workspace/changes.hpp"

#include "shadow/workspace_changes.hpp"

#include "base/fail_point.hpp"
#include "changes/dependents/dependents.hpp"
#include "changes/dependents/item_range.hpp"
#include "workspace/call/failure.hpp"
#include "workspace/call/sink.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

namespace shadow {

namespace {

// The files, and of each conflict the session's side.
std::vector<PatchFile> all_shown(std::vector<PatchFile> files,
                                 const std::vector<changes::ConflictSides>& sides) {
  for (const changes::ConflictSides& conflict : sides) {
    files.insert(files.end(), conflict.session.begin(), conflict.session.end());
  }
  return files;
}

// A file that was renamed is shown once, at its old name; the new ones leave the list.
std::vector<changes::ConflictSides> sides_of(const session::ReviewSession& session,
                                             std::vector<ReviewItem>& conflicts) {
  const std::vector<ReviewItem> all = conflicts;
  const auto other_name = [&all](const ReviewItem& item) -> const ReviewItem* {
    const auto at = changes::find_item(all, item.resolution.partner.str());
    return at ? &all[*at] : nullptr;
  };
  std::erase_if(conflicts, [&](const ReviewItem& item) {
    return changes::is_new_name(item) && other_name(item) != nullptr;
  });
  std::vector<changes::ConflictSides> sides;
  sides.reserve(conflicts.size());
  for (const ReviewItem& item : conflicts) {
    sides.push_back(changes::conflict_sides(session, item, other_name(item)));
  }
  return sides;
}

}  // namespace

bool is_written(const ReviewItem& item) {
  return item.resolution.verdict != Verdict::Conflict && item.depends_on.empty();
}

ShowingHandle::ShowingHandle(std::shared_ptr<const ReviewHandle> of,
                             std::vector<ReviewItem> conflicts, std::vector<PatchFile> files,
                             std::shared_ptr<const void> held)
    : of_{std::move(of)},
      held_{std::move(held)},
      conflicts_{std::move(conflicts)},
      sides_{sides_of(of_->session, conflicts_)},
      files_{std::move(files)},
      shown_{all_shown(files_, sides_)},
      notes_{shown_} {
}

void ShowingHandle::write_session_side(std::size_t conflict, const PatchOptions& options,
                                       const PatchSink& sink) {
  write_patch(sides(conflict).session, options, passing(sink), notes_.listener());
}

void ShowingHandle::write(const PatchOptions& options, const PatchSink& sink) {
  SHADOW_FAIL_POINT("patch-begun");
  write_patch(files_, options, passing(sink), notes_.listener());
}

void ShowingHandle::keep() {
  if (!std::exchange(kept_, true)) {
    notes_.keep(of_->session);
  }
}

void ShowingHandle::try_keep() noexcept {
  try {
    keep();
  } catch (const std::exception& error) {
    note_sink (*of_->state)(std::string{"an apply will not know what was shown here: "} +
                            error.what());
  }
}

ChangesHandle::ChangesHandle(std::shared_ptr<const ReviewHandle> of, std::vector<ReviewItem> items,
                             TooDeep too_deep, Shown shown,
                             std::vector<std::string> new_repositories)
    : of_{std::move(of)},
      items_{std::move(items)},
      too_deep_{std::move(too_deep)},
      shown_{shown},
      new_repositories_{std::move(new_repositories)} {
}

const std::vector<PatchFile>& ChangesHandle::files() const {
  if (!files_) {
    files_ = changes::patch_files(session(), items_, shown_);
  }
  return *files_;
}

std::unique_ptr<ShowingHandle> ChangesHandle::show() const {
  std::vector<ReviewItem> conflicts;
  std::vector<ReviewItem> rest;
  for (const ReviewItem& item : items_) {
    (is_written(item) ? rest : conflicts).push_back(item);
  }
  std::vector<PatchFile> files = changes::patch_files(session(), rest, Shown::Written);
  std::vector<PatchFile> others = changes::without_patch(session(), rest);
  std::move(others.begin(), others.end(), std::back_inserter(files));
  return std::make_unique<ShowingHandle>(of_, listable(std::move(conflicts)), std::move(files));
}

}  // namespace shadow

namespace shadow::workspace {

Showing::Showing(std::unique_ptr<ShowingHandle> handle) : handle_{std::move(handle)} {
}
Showing::Showing(Showing&&) noexcept = default;

Showing::~Showing() {
  if (handle_) {
    handle_->try_keep();
  }
}

const std::vector<ReviewItem>& Showing::conflicts() const noexcept {
  return handle_->conflicts();
}

bool Showing::knows_project_side(std::size_t conflict) const {
  return as_call([&] { return handle_->sides(conflict).project.has_value(); });
}

void Showing::write_project_side(std::size_t conflict, const PatchOptions& options,
                                 const PatchSink& sink) const {
  as_call([&] {
    if (const auto& side = handle_->sides(conflict).project) {
      write_patch({*side}, options, passing(sink));
    }
  });
}

void Showing::write_session_side(std::size_t conflict, const PatchOptions& options,
                                 const PatchSink& sink) {
  as_call([&] { handle_->write_session_side(conflict, options, sink); });
}

void Showing::write(const PatchOptions& options, const PatchSink& sink) {
  as_call([&] { handle_->write(options, sink); });
}

void Showing::finish() {
  as_call([&] { handle_->whole(); });
  handle_->try_keep();
}

void Showing::forget() noexcept {
  handle_->forget();
}

Changes::Changes(std::shared_ptr<const ChangesHandle> handle) : handle_{std::move(handle)} {
}

const std::vector<ReviewItem>& Changes::items() const noexcept {
  return handle_->items();
}

const TooDeep& Changes::too_deep() const noexcept {
  return handle_->too_deep();
}

std::vector<std::string> Changes::new_repositories() const {
  return handle_->new_repositories();
}

bool Changes::have_patch() const {
  return as_call([&] { return !handle_->files().empty(); });
}

std::vector<FileSummary> Changes::summarize(const PatchOptions& options, CountLines count) const {
  return as_call([&] { return shadow::summarize(handle_->files(), options, count); });
}

void Changes::write_patch(const PatchOptions& options, const PatchSink& sink) const {
  as_call([&] { shadow::write_patch(handle_->files(), options, passing(sink)); });
}

Showing Changes::show() const {
  return as_call([&] { return Showing{handle_->show()}; });
}

}  // namespace shadow::workspace
