// SPDX-License-Identifier: MIT
#include "shadow/workspace_review.hpp"

#include "changes/review_set.hpp"
#include "changes/selection_match.hpp"
#include "changes/shown_items.hpp"
#include "commits/show/session_commits.hpp"
#include "refresh/refresh.hpp"
#include "session/project/place.hpp"
#include "status/log.hpp"
#include "status/status.hpp"
#include "watch/session_watch.hpp"
#include "workspace/call/failure.hpp"
#include "workspace/call/paths.hpp"
#include "workspace/changes.hpp"
#include "workspace/commits.hpp"

#include <utility>

namespace shadow {

struct WatchHandle {
  explicit WatchHandle(std::shared_ptr<const ReviewHandle> review)
      : of{std::move(review)}, watch{of->session} {}

  std::shared_ptr<const ReviewHandle> of;
  watch::SessionWatch watch;
};

}  // namespace shadow

namespace shadow::workspace {

namespace {

// A refresh says nothing of paths that select nothing.
session::Selection refreshed(const ReviewHandle& handle, const Paths& paths) {
  session::Selection selection = selection_of(paths, handle.session.project);
  report_stage(*handle.state, Stage::Reading);
  if (!selection.everything()) {
    changes::require_matches(
        handle.session, selection,
        changes::review_changes(handle.session, selection, changes::WalkGitDirs::No));
  }
  return selection;
}

}  // namespace

Review::Review(std::shared_ptr<const ReviewHandle> handle) : handle_{std::move(handle)} {
}

const SessionRecord& Review::session() const noexcept {
  return handle_->session.row;
}

std::string Review::place() const {
  return session::place_in(handle_->session.project);
}

StatusReport Review::status(const Paths& paths) const {
  return as_call([&] {
    report_stage(*handle_->state, Stage::Reading);
    return status::make_status(handle_->session, selection_of(paths, handle_->session.project));
  });
}

Watch Review::watch() const {
  return as_call([&] { return Watch{std::make_shared<WatchHandle>(handle_)}; });
}

Changes Review::changes(const ChangesOptions& options) const {
  return as_call([&] {
    ReviewSet set = reviewed(*handle_, options.paths);
    TooDeep too_deep = set.too_deep;
    std::vector<std::string> repositories;
    for (const NewGitDir& one : set.new_git_dirs) {
      if (!one.ignored || options.ignored) {
        repositories.push_back(one.path);
      }
    }
    const auto ignored =
        options.ignored ? changes::IgnoredItems::Include : changes::IgnoredItems::LeaveOut;
    return Changes{std::make_shared<const ChangesHandle>(
        handle_, changes::shown_items(handle_->session, std::move(set), ignored),
        std::move(too_deep), options.shown, std::move(repositories))};
  });
}

namespace {

commits::Listed to_room(ListedCommits listed) {
  return listed == ListedCommits::All ? commits::Listed::All : commits::Listed::Newest;
}

}  // namespace

Commits Review::commits(ListedCommits listed) const {
  return as_call([&] {
    return Commits{std::make_shared<const CommitsHandle>(
        handle_, commits::session_commits(handle_->session, to_room(listed)))};
  });
}

std::vector<Commits> Review::commits_of_new_repositories(ListedCommits listed) const {
  return as_call([&] {
    std::vector<Commits> found;
    for (commits::NewCommits& one :
         commits::commits_of_new_repositories(handle_->session, to_room(listed))) {
      found.push_back(Commits{std::make_shared<const CommitsHandle>(handle_, std::move(one))});
    }
    return found;
  });
}

std::vector<LoggedRun> Review::runs(const Paths& paths) const {
  return as_call([&] { return status::list_runs(handle_->session, arguments_of(paths)); });
}

RefreshReport Review::plan_refresh(const Paths& paths) const {
  return as_call(
      [&] { return refresh::plan_refresh(handle_->session, refreshed(*handle_, paths)); });
}

RefreshReport Review::refresh(const Paths& paths) const {
  return as_call([&] { return refresh::refresh(handle_->session, refreshed(*handle_, paths)); });
}

Watch::Watch(std::shared_ptr<WatchHandle> handle) : handle_{std::move(handle)} {
}

bool Watch::complete() const noexcept {
  return handle_->watch.complete();
}

void Watch::wait() {
  try {
    handle_->watch.wait();
  } catch (...) {
    throw_failure();
  }
}

}  // namespace shadow::workspace
