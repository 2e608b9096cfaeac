// SPDX-License-Identifier: MIT
#include "apply/whole_apply.hpp"

#include "apply/shown/shown.hpp"
#include "apply/shown/shown_refs.hpp"
#include "commits/move/commit_arrived.hpp"
#include "refresh/catch_up.hpp"
#include "session/directory/live_runs.hpp"
#include "upkeep/clean_up.hpp"

#include <set>
#include <string>
#include <utility>

namespace shadow::apply {

namespace {

// The project has more than what was the session's by now; or the session has nothing that is not
// the project's, but may have that in its own layer, where it would hide what comes next.
void bring_view_up(const session::ReviewSession& session, const Promotion& promotion, bool live) {
  if (promotion.behind || (!live && promotion.chosen.taken.empty())) {
    refresh::catch_up(session);
  } else if (!promotion.merged.empty() && live) {
    std::set<std::string> merged;
    for (const auto& [path, text] : promotion.merged) {
      merged.insert(path);
    }
    refresh::catch_up_live(session, std::move(merged));
  }
}

}  // namespace

bool takes_commits(const ApplyChoice& choice) {
  return choice.selection.everything();
}

bool can_be_written(const Promotion& promotion) {
  return promotion.chosen.conflicts.empty() && promotion.chosen.blocked.empty();
}

commits::CommitPlan commits_with(const session::ReviewSession& session,
                                 const std::vector<BranchWork>& rows, const Promotion& promotion,
                                 const ApplyChoice& choice) {
  if (rows.empty() || !can_be_written(promotion)) {
    return {};
  }
  commits::CommitChoice of_commits{
      choice.allow_sensitive, choice.sensitive_paths,
      commits::shown_entries(promotion.chosen.taken, changes::IgnoredItems::Include)};
  for (const auto& [path, base] : promotion.merged) {
    of_commits.merged.emplace(path, "");
  }
  for (const ReviewItem& item : promotion.chosen.taken) {
    if (item.change.kind == ChangeKind::Deleted && !item.resolution.partner.empty()) {
      of_commits.merged.insert_or_assign(item.change.path, item.resolution.partner.str());
    }
  }
  return commits::plan_commits(session, rows, staying_paths(promotion.chosen), of_commits);
}

void execute_whole(const session::ReviewSession& session, const Promotion& promotion,
                   const commits::CommitPlan& commits, ArrivedRefs arrived, bool keep_mtime,
                   Applied& done) {
  commits::store_objects(session, commits);
  if (!promotion.plan.steps.empty()) {
    done.files = execute_as_shown(session, promotion, keep_mtime);
  }
  std::vector<std::string> dropped;
  if (arrived == ArrivedRefs::Drop) {
    dropped = commits::drop_arrived_refs(session);
  }
  done.commits = commits::move_refs(session, commits, done.files.id);
  done.commits.arrived = std::move(dropped);
  const bool live = session::has_live_runs(session.dir);
  bring_view_up(session, promotion, live);
  forget_shown_refs(session, commits);
  forget_shown_histories(session, promotion.histories);
  const bool at_rest = upkeep::clean_up(session, done.files.paths.size());
  if (!at_rest && !live) {
    bring_view_up(session, promotion, true);  // a run has begun in between
  }
}

}  // namespace shadow::apply
