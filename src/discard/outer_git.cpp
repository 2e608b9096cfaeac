// SPDX-License-Identifier: MIT
#include "discard/outer_git.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "commits/refs/ref_base.hpp"
#include "commits/refs/session_git.hpp"
#include "git/repository/git_refs.hpp"
#include "live/hold.hpp"
#include "overlay/format/look.hpp"
#include "overlay/write/prune.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/shown.hpp"
#include "store/tables/tallies.hpp"
#include "sys/files/dir.hpp"

#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace shadow::discard {

namespace {

constexpr const char* kGitDir = ".git";

std::optional<commits::SessionGit> find_outer_git(const session::ReviewSession& session) {
  auto git = commits::find_session_git(session);
  return git && !git->in_project ? std::move(git) : std::nullopt;
}

std::vector<std::string> names_in_layer(const commits::SessionGit& git) {
  std::vector<std::string> names;
  for (const sys::DirEntry& entry : sys::list_dir(git.upper.get())) {
    names.push_back(entry.name);
  }
  return names;
}

// Copies stay until the session is idle. The bases say which of the project's later commits
// they hide: each ref goes on from what it is now.
void restore_live_git(const session::ReviewSession& session, const commits::SessionGit& git) {
  const auto view = live::LiveView::try_open(session.dir, git.real.common, sys::Refreshing::Once);
  if (!view) {
    throw Error{"cannot discard '.git': the session's runs are ending", "try again",
                ExitCode::Refused};
  }
  const std::vector<std::string> names = names_in_layer(git);
  view->require_unwritten(session.dir, names, "discard '.git'");
  store::add_pending_prune(*session.db, session.row.id, kGitDir);
  live::ViewEdit edit{{view->root(), git.lower.get(), git.upper.get(), session.dir.fd()}};
  for (const std::string& name : names) {
    edit.restore(name);
  }
  if (::syncfs(git.upper.get()) != 0) {
    throw_errno("sync the session's changes");
  }
}

void forget_bases(const session::ReviewSession& session) {
  for (const auto& row : store::all_bases(*session.db, session.row.id)) {
    if (is_at_or_below(row.first, kGitDir)) {
      store::delete_base(*session.db, session.row.id, row.first);
    }
  }
}

void set_bases_of_copies(const session::ReviewSession& session, const commits::SessionGit& git) {
  for (const auto& [ref, id] : git::read_refs(git.dirs.view).named) {
    if (!id.empty() && overlay::look_beneath(git.upper.get(), git.prefix + ref).exists()) {
      commits::set_base_of_ref(session, git, ref, id);
    }
  }
}

}  // namespace

std::optional<ReviewItem> selected_outer_git(const session::ReviewSession& session,
                                             const session::Selection& selection) {
  if (!selection.selects(kGitDir)) {
    return std::nullopt;
  }
  const auto git = find_outer_git(session);
  if (!git || names_in_layer(*git).empty()) {
    return std::nullopt;
  }
  ReviewItem item;
  item.change.path = kGitDir;
  item.change.kind = ChangeKind::Modified;
  item.change.before = overlay::look_beneath(session.lower.get(), kGitDir);
  item.change.after = item.change.before;
  return item;
}

void discard_outer_git(const session::ReviewSession& session, session::LiveRuns live) {
  const live::HeldSession held = live::hold_session(session, "discard '.git'", live);
  const auto git = find_outer_git(session);
  if (!git) {
    return;
  }
  if (held.live()) {
    restore_live_git(session, *git);
  } else {
    for (const std::string& name : names_in_layer(*git)) {
      overlay::drop(git->upper.get(), git->lower.get(), name);
    }
  }
  store::Transaction transaction{*session.db};
  forget_bases(session);
  if (held.live()) {
    set_bases_of_copies(session, *git);
  }
  store::forget_shown_below(*session.db, session.row.id, kGitDir);
  store::outdate_tally(*session.db, session.row.id, store::Touched::Anything);
  transaction.commit();
}

}  // namespace shadow::discard
