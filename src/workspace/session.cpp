// SPDX-License-Identifier: MIT
// What a session has changed, as data and as a patch.

#include "shadow/patch.hpp"
#include "shadow/review.hpp"
#include "shadow/workspace.hpp"

#include "apply/shown/shown.hpp"
#include "changes/lines.hpp"
#include "changes/patch_files.hpp"
#include "changes/review_set.hpp"
#include "changes/selection_match.hpp"
#include "status/status.hpp"
#include "store/database/database.hpp"
#include "store/tables/sessions.hpp"
#include "workspace/failure.hpp"
#include "workspace/paths.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace shadow::workspace {

namespace {

ChangeKind kind_of(shadow::ChangeKind kind) {
  switch (kind) {
    case shadow::ChangeKind::Added:
      return ChangeKind::Added;
    case shadow::ChangeKind::Deleted:
      return ChangeKind::Deleted;
    case shadow::ChangeKind::TypeChanged:
      return ChangeKind::TypeChanged;
    case shadow::ChangeKind::Modified:
      break;
  }
  return ChangeKind::Modified;
}

Change change_of(const ReviewItem& item) {
  Change change;
  change.path = item.change.path;
  change.kind = kind_of(item.change.kind);
  change.ignored = item.standing == Standing::Ignored;
  change.sensitive = item.sensitive;
  if (item.resolution.verdict == Verdict::Conflict) {
    change.conflict = to_sentence(item.resolution);
  }
  return change;
}

ReviewSet review(const SessionHandle& handle, const session::ReviewSession& session,
                 const Paths& paths) {
  tell_stage(*handle.state, Stage::Reading);
  const session::Selection selection = selection_of(paths, session.project);
  ReviewSet set = changes::review_changes(session, selection, changes::WalkGitDirs::No);
  changes::require_matches(session, selection, set);
  return set;
}

}  // namespace

Session::Session(std::shared_ptr<const SessionHandle> handle) : handle_{std::move(handle)} {
}

const std::string& Session::project() const noexcept {
  return handle_->project.root;
}

const std::string& Session::agent() const noexcept {
  return handle_->agent;
}

bool Session::exists() const {
  return as_call([&] {
    store::Database db{handle_->state->dir.database()};
    return store::find_session(db, session_id({project(), agent()})).has_value();
  });
}

std::vector<Change> Session::changes(const Paths& paths) const {
  return as_call([&] {
    const session::ReviewSession session = open_for(*handle_);
    ReviewSet set = review(*handle_, session, paths);
    std::vector<Change> changes;
    for (const ReviewItem& item :
         status::items_to_tell(session, std::move(set), changes::IgnoredItems::Include)) {
      changes.push_back(change_of(item));
    }
    return changes;
  });
}

std::string Session::patch(const Paths& paths) const {
  return as_call([&] {
    const session::ReviewSession session = open_for(*handle_);
    std::vector<ReviewItem> items =
        changes::shown_items(review(*handle_, session, paths), changes::IgnoredItems::LeaveOut);
    std::erase_if(
        items, [](const ReviewItem& item) { return item.resolution.verdict == Verdict::Conflict; });
    const std::vector<PatchFile> files =
        changes::patch_files(session, items, changes::Shown::Written);
    PatchOptions options;
    options.binary = true;
    std::string text;
    apply::ShownNotes notes{files};
    write_patch(
        files, options, [&text](PatchPart /*part*/, std::string_view piece) { text += piece; },
        notes.listener());
    notes.whole();
    notes.keep(session);
    return text;
  });
}

}  // namespace shadow::workspace
