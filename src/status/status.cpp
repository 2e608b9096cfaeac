// SPDX-License-Identifier: MIT
#include "status/status.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "bases/tree/base_tree.hpp"
#include "changes/lines.hpp"
#include "changes/review_set.hpp"
#include "changes/selection_match.hpp"
#include "changes/shown_items.hpp"
#include "commits/plan/commit_judge.hpp"
#include "commits/plan/commit_plan.hpp"
#include "commits/plan/new_history.hpp"
#include "commits/refs/session_git.hpp"
#include "commits/show/session_commits.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/scan.hpp"
#include "overlay/read/view.hpp"
#include "session/directory/background.hpp"
#include "session/project/git_dir.hpp"
#include "session/project/place.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/beneath.hpp"
#include "upkeep/tally.hpp"
#include "watch/shared_storage.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace shadow {

namespace {

void note_both_sides(const ReviewItem& item, IgnoredFold& fold) {
  const Verdict verdict = item.resolution.verdict;
  const bool conflict = verdict == Verdict::Conflict;
  if (item.drift == Drift::None || (!conflict && verdict != Verdict::Merge)) {
    return;
  }
  ++fold.both_changed;
  if (fold.verdict != Verdict::Conflict) {
    fold.verdict = verdict;
    fold.drift = item.drift;
  }
}

}  // namespace

std::vector<IgnoredFold> fold_ignored(const std::vector<const ReviewItem*>& items) {
  std::map<std::string, IgnoredFold> folds;
  for (const ReviewItem* one : items) {
    const ReviewItem& item = *one;
    if (item.standing != Standing::Ignored) {
      continue;
    }
    IgnoredFold& fold = folds[item.fold];
    fold.path = item.fold;
    if (item.fold != item.change.path || changes::is_directory(item.change)) {
      fold.directory = true;
    }
    note_both_sides(item, fold);
    if (changes::is_directory(item.change)) {
      continue;
    }
    if (item.change.kind == ChangeKind::Deleted) {
      ++fold.deleted;
    } else {
      ++fold.files;
      fold.bytes += item.change.after.size;
    }
  }
  std::vector<IgnoredFold> list;
  list.reserve(folds.size());
  for (auto& [path, fold] : folds) {
    list.push_back(std::move(fold));
  }
  return list;
}

}  // namespace shadow

namespace shadow::status {

namespace {

bool is_normal(const ReviewItem& item) {
  return item.standing == Standing::Normal;
}

bool is_behind(const ReviewItem& item) {
  return is_normal(item) || changes::hides_ignored(item);
}

bool is_drifted(const ReviewItem& item) {
  return is_normal(item) && item.resolution.verdict == Verdict::Merge &&
         item.change.kind != ChangeKind::Deleted;
}

std::size_t count(const std::vector<ReviewItem>& items, bool (*counts)(const ReviewItem&)) {
  return static_cast<std::size_t>(std::count_if(items.begin(), items.end(), counts));
}

// What an apply of all that would do with the session's commits.
commits::CommitPlan foreseen_commits(const session::ReviewSession& session,
                                     const std::vector<BranchWork>& branches,
                                     const ReviewSet& set) {
  commits::CommitChoice choice;
  choice.shown = commits::shown_entries(set.items, changes::IgnoredItems::LeaveOut);
  std::vector<std::string> staying;
  for (const ReviewItem& item : set.items) {
    const std::string& path = item.change.path;
    const bool deleted = item.change.kind == ChangeKind::Deleted;
    if (item.standing == Standing::Ignored) {
      staying.push_back(path);
    } else if (deleted && !item.resolution.partner.empty()) {
      choice.merged.insert_or_assign(path, item.resolution.partner.str());
    } else if (!deleted && item.resolution.verdict == Verdict::Merge) {
      choice.merged.emplace(path, "");
    }
  }
  return commits::foresee_commits(session, branches, staying, choice);
}

void add_commits(const session::ReviewSession& session, const session::Selection& selection,
                 const ReviewSet& set, StatusReport& report) {
  report.branches = commits::session_commits(session);
  if (report.branches.empty()) {
    return;
  }
  commits::CommitPlan plan = foreseen_commits(session, report.branches, set);
  for (const commits::CommitItem& item : plan.items) {
    report.planned.push_back(static_cast<const PlannedRef&>(item));
  }
  if (selection.everything()) {
    report.not_shown = std::move(plan.not_shown);
  }
}

std::vector<RunRecord> as_records(const std::vector<store::RunRow>& rows) {
  return {rows.begin(), rows.end()};
}

std::vector<NewHistory> new_histories(const session::ReviewSession& session, const ReviewSet& set) {
  commits::CommitChoice choice;
  choice.shown = commits::shown_entries(set.items, changes::IgnoredItems::LeaveOut);
  std::vector<NewHistory> found;
  for (const NewGitDir& dir : set.new_git_dirs) {
    if (!dir.ignored) {
      found.push_back(commits::judge_new_history(session, dir.path, choice));
    }
  }
  return found;
}

// True if the session's refs there are not the project's. Hooks and settings of a repository that
// was applied as a new one stay behind, too.
bool has_other_refs(const session::ReviewSession& session, const std::string& dir) {
  const std::string refs = dir + "/refs";
  const auto is_ref = [&](std::string_view path) {
    return is_at_or_below(path, refs) || path == dir + "/packed-refs" || path == dir + "/HEAD";
  };
  const overlay::Wanted wanted = [&](std::string_view path, bool) {
    return is_ref(path) || is_at_or_below(dir, path);
  };
  const ChangeSet set = overlay::scan(session.upper.get(), session.lower.get(), wanted);
  return std::any_of(set.changes.begin(), set.changes.end(),
                     [&is_ref](const Change& change) { return is_ref(change.path); });
}

// What has arrived leaves the session as soon as that is idle.
bool waits_to_be_taken_out(const session::ReviewSession& session, const std::string& path) {
  const std::vector<std::string> waiting = store::pending_prunes(*session.db, session.row.id);
  return std::find(waiting.begin(), waiting.end(), path) != waiting.end();
}

// Below the project's own.
std::vector<std::string> written_git_dirs(const session::ReviewSession& session,
                                          const ReviewSet& set) {
  std::vector<std::string> written;
  for (const std::string& path : set.old_git_dirs) {
    const Entry own = overlay::look_beneath(session.upper.get(), path);
    if (path != ".git" && own.exists() && !overlay::is_whiteout(own) &&
        has_other_refs(session, path)) {
      written.push_back(path);
    }
  }
  return written;
}

std::vector<ReviewItem> reported_items(const session::ReviewSession& session, ReviewSet set,
                                       changes::IgnoredItems ignored) {
  std::vector<ReviewItem> items = changes::shown_items(session, std::move(set), ignored);
  std::erase_if(items,
                [](const ReviewItem& item) { return item.resolution.verdict == Verdict::Nothing; });
  return items;
}

}  // namespace

std::vector<ReviewItem> listed_items(const session::ReviewSession& session, ReviewSet set,
                                     changes::IgnoredItems ignored) {
  return listable(reported_items(session, std::move(set), ignored));
}

StatusReport make_status(const session::ReviewSession& session,
                         const session::Selection& selection) {
  ReviewSet set = changes::review_changes(session, selection, changes::WalkGitDirs::No);
  changes::require_matches(session, selection, set);
  StatusReport report;
  report.session = static_cast<const SessionRecord&>(session.row);
  report.place = session::place_in(session.project);
  report.ignored = fold_ignored(borrowed(set.items));
  report.new_repositories = new_histories(session, set);
  report.nested_git_dirs = written_git_dirs(session, set);
  report.too_deep = set.too_deep;
  report.behind = count(set.behind, is_behind);
  if (selection.leads_to(".git")) {
    report.git_dir_changed = overlay::look_beneath(session.upper.get(), ".git").exists() &&
                             !waits_to_be_taken_out(session, ".git");
    report.git_dir_new =
        report.git_dir_changed && !overlay::look_beneath(session.lower.get(), ".git").exists();
    add_commits(session, selection, set, report);
  }
  report.live = as_records(session::live_runs(session));
  report.follows_by_time =
      !report.live.empty() && session::how_followed(session.dir) == session::FollowedBy::Time;
  report.shared_storage = watch::changes_elsewhere(session.lower.get());
  report.outside = as_records(store::runs_outside_review(*session.db, session.row.id));
  report.home_bytes = upkeep::layer_bytes(session.dir, "home");
  report.base_left_out = bases::left_out_of_base_tree(session.dir.fd());
  // The last to look at the set, of which the report keeps most.
  report.items = listable(reported_items(session, std::move(set), changes::IgnoredItems::LeaveOut));
  report.behind += count(report.items, is_drifted);
  return report;
}

}  // namespace shadow::status
