// SPDX-License-Identifier: MIT
#include "commits/move/commit_arrived.hpp"

#include "base/git_names.hpp"
#include "commits/move/commit_promote.hpp"
#include "commits/move/ref_mover.hpp"
#include "commits/plan/commit_plan.hpp"
#include "commits/refs/commit_lock.hpp"
#include "commits/refs/ref_base.hpp"
#include "commits/refs/shadow_ref.hpp"
#include "commits/refs/user_moves.hpp"
#include "git/commits/object_copy.hpp"
#include "git/repository/git_refs.hpp"
#include "overlay/format/look.hpp"
#include "promote/recover/transaction.hpp"
#include "promote/repository/git_store.hpp"
#include "store/tables/bases.hpp"

#include <map>
#include <set>
#include <string_view>

namespace shadow::commits {

namespace {

using Asides = std::map<std::string, std::string>;

// The session's, and of those the ones that are reached.
Asides arrived_asides(const session::ReviewSession& session, const git::GitDirs& dirs) {
  const std::string below = shadow_ref(session.row, "refs/");
  Asides asides;
  std::vector<std::string> ids;
  for (const auto& [name, id] : git::read_refs(git::disk_reader(dirs.real_git_dir)).aside) {
    if (name.starts_with(below)) {
      asides.emplace(name, id);
      ids.push_back(id);
    }
  }
  const std::vector<std::string> reached = ids.empty() ? ids : git::reached_by_branches(dirs, ids);
  const std::set<std::string> found{reached.begin(), reached.end()};
  std::erase_if(asides, [&found](const auto& aside) { return found.count(aside.second) == 0; });
  return asides;
}

}  // namespace

bool has_arrived(const session::ReviewSession& session, const SessionGit& git,
                 const BranchWork& work) {
  if (!work.arrived) {
    return was_applied(session, git, work);
  }
  if (work.ref == "HEAD") {
    return true;
  }
  if (!work.ref.starts_with(git::kHeads)) {
    return false;
  }
  // If the base is not known, nobody can tell which side moved, and there is nothing to lose; but a
  // branch that the project never had must arrive, if only as a name.
  const auto base = base_of_ref(session, git, work.ref);
  return base ? *base != work.real_id : !work.real_id.empty();
}

bool was_applied(const session::ReviewSession& session, const SessionGit& git,
                 const BranchWork& work) {
  return work.ref.starts_with(git::kHeads) && !work.real_id.empty() && !work.view_id.empty() &&
         work.real_id != work.view_id && base_of_ref(session, git, work.ref) == work.view_id &&
         applied_commits(session, work.ref).count(work.view_id) != 0;
}

std::vector<std::string> drop_arrived_refs(const session::ReviewSession& session) {
  std::vector<std::string> dropped;
  const auto git = find_session_git(session);
  if (!git) {
    return dropped;
  }
  if (overlay::look_beneath(git->upper.get(), git->prefix + "refs").exists()) {
    store::add_pending_prune(*session.db, session.row.id, ".git");
  }
  const Asides asides = arrived_asides(session, git->dirs);
  if (asides.empty()) {
    return dropped;
  }
  const ApplySite site = session.site();
  const sys::FileLock lock = lock_for_commits(site);
  const promote::GitPlace place{git->real.dir, git->real.common};
  promote::LockBook book{site.state, site.project};
  const CommitStaging staging{site.state};
  RefMover mover{place, book, site.project, staging.path(), "shadow: apply"};
  for (const auto& [name, id] : asides) {
    if (mover.move({name, id, ""}, false, {}).empty()) {
      dropped.push_back(name);
    }
  }
  return dropped;
}

}  // namespace shadow::commits
