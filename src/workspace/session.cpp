// SPDX-License-Identifier: MIT
// A session's changes, as data and as a patch.

#include "shadow/patch.hpp"
#include "shadow/review.hpp"
#include "shadow/workspace.hpp"

#include "base/text.hpp"
#include "changes/shown_items.hpp"
#include "status/status.hpp"
#include "store/database/database.hpp"
#include "store/tables/sessions.hpp"
#include "workspace/call/failure.hpp"
#include "workspace/changes.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace shadow::workspace {

namespace {

Change change_of(const ReviewItem& item) {
  Change change;
  change.path = item.change.path;
  change.kind = item.change.kind;
  change.ignored = item.standing == Standing::Ignored;
  change.sensitive = item.sensitive;
  if (item.resolution.verdict == Verdict::Conflict) {
    change.conflict = to_sentence(item.resolution);
  } else if (!item.depends_on.empty()) {
    change.conflict = "depends on " + quoted(item.depends_on.str());
  }
  return change;
}

}  // namespace

Session::Session(std::shared_ptr<const SessionHandle> handle) : handle_{std::move(handle)} {
}

const std::string& Session::project() const noexcept {
  return handle_->of->project.root;
}

const std::string& Session::agent() const noexcept {
  return handle_->agent;
}

bool Session::exists() const {
  return as_call([&] {
    store::Database db{handle_->of->state->dir.database()};
    return store::find_session(db, session_id({project(), agent()})).has_value();
  });
}

Review Session::review() const {
  return as_call([&] { return Review{open(*handle_)}; });
}

std::vector<Change> Session::changes(const Paths& paths) const {
  return as_call([&] {
    const auto opened = open(*handle_);
    std::vector<Change> changes;
    for (const ReviewItem& item : status::listed_items(opened->session, reviewed(*opened, paths),
                                                       changes::IgnoredItems::Include)) {
      changes.push_back(change_of(item));
    }
    return changes;
  });
}

std::string Session::patch(const Paths& paths) const {
  return as_call([&] {
    const auto opened = open(*handle_);
    std::vector<ReviewItem> items = changes::shown_items(opened->session, reviewed(*opened, paths),
                                                         changes::IgnoredItems::LeaveOut);
    std::erase_if(items, [](const ReviewItem& item) { return !is_written(item); });
    ShowingHandle showing{opened, {}, changes::patch_files(opened->session, items, Shown::Written)};
    PatchOptions options;
    options.binary = true;
    std::string text;
    showing.write(options, [&text](PatchPart /*part*/, std::string_view piece) { text += piece; });
    showing.whole();
    showing.keep();
    return text;
  });
}

}  // namespace shadow::workspace
