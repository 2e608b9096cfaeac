// SPDX-License-Identifier: MIT
#include "refresh/keep_up_git.hpp"

#include "commits/follow/follow_branch.hpp"
#include "commits/refs/session_git.hpp"
#include "commits/refs/writable_git_dir.hpp"
#include "promote/recover/transaction.hpp"

#include <chrono>
#include <optional>

namespace shadow::refresh {
namespace {

bool follow_below(const session::ReviewSession& session, const commits::SessionGit& git, int root) {
  const auto tree = commits::open_git_tree(root, git);
  return !tree || commits::follow_branches(session, git, *tree);
}

bool follow_in_view(const session::ReviewSession& session, const commits::SessionGit& git,
                    const live::LiveView& view) {
  if (git.in_project) {
    return follow_below(session, git, view.root());
  }
  const auto outside =
      live::LiveView::try_open(session.dir, git.real.common, sys::Refreshing::Once);
  return outside && follow_below(session, git, outside->root());
}

// The project's lock is not waited for: whoever has it may be about to write the same index.
std::optional<sys::FileLock> try_lock_project(const session::ReviewSession& session) {
  constexpr std::chrono::milliseconds kNoPatience{0};
  return promote::lock_project(session.site(), kNoPatience);
}

}  // namespace

bool keep_up_git(const session::ReviewSession& session, const live::HeldSession& held) {
  const auto git = commits::find_session_git(session);
  if (!git) {
    commits::note_followed(session);
    return true;
  }
  return held.live() ? follow_in_view(session, *git, *held.view)
                     : follow_below(session, *git, git->upper.get());
}

bool keep_up_live_git(const StateDir& state, const std::string& session) {
  const auto opened = session::open_with_its_project(state, session);
  if (!opened) {
    return true;
  }
  const auto held = live::try_hold_session(*opened);
  const auto project = held ? try_lock_project(*opened) : std::nullopt;
  return project && (!held->live() || keep_up_git(*opened, *held));
}

void keep_up_idle_git(const StateDir& state, const std::string& session) {
  const auto opened = session::open_with_its_project(state, session);
  const auto project = opened ? try_lock_project(*opened) : std::nullopt;
  const auto git = project ? commits::find_session_git(*opened) : std::nullopt;
  if (git) {
    (void)follow_below(*opened, *git, git->upper.get());  // or with the next run
  }
}

}  // namespace shadow::refresh
