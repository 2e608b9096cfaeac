// SPDX-License-Identifier: MIT
#include "refresh/refresh_plan.hpp"

#include "base/text.hpp"
#include "bases/capture/drift.hpp"
#include "changes/ignore_set.hpp"
#include "changes/rename_pairs.hpp"
#include "changes/review_set.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/scan.hpp"
#include "overlay/read/view.hpp"
#include "session/project/git_dir.hpp"
#include "store/tables/bases.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace shadow::refresh {

namespace {

using overlay::UpperEntry;
using overlay::UpperKind;

constexpr const char* kOtherNames =
    "changed in the project too, and one file with other names in the session";

class RefreshPlanner {
 public:
  RefreshPlanner(const session::ReviewSession& session, const session::Selection& selection)
      : session_{session}, selection_{selection} {}

  RefreshPlan plan() {
    ReviewSet set =
        changes::review_changes(session_, session::Selection{}, changes::WalkGitDirs::No);
    changes::pair_renames(session_, set.items);
    for (const ReviewItem& item : set.items) {
      by_path_.emplace(item.change.path, &item);
    }
    for (const ReviewItem& item : set.items) {
      if (is_meant(item) && both_changed(item)) {
        resolve(item);
      } else if (is_left_ignored(item)) {
        plan_.left_ignored.push_back(item);
      }
    }
    for (const ReviewItem& item : set.behind) {
      if (is_meant_behind(item)) {
        catch_up(item);
      }
      by_path_.emplace(item.change.path, &item);
    }
    moved_gone_ = std::move(set.moved_gone);
    prune_what_is_alike();
    return std::move(plan_);
  }

  // Plans the entries without a change of the session's own.
  RefreshPlan plan_untouched() {
    ReviewSet set = changes::review_changes(session_, selection_, changes::WalkGitDirs::No);
    for (const ReviewItem& item : set.items) {
      by_path_.emplace(item.change.path, &item);
      if (item.standing == Standing::Normal && item.drift != Drift::None) {
        plan_.hiding.emplace(item.change.path, time_of_own(item.change.after));
      }
    }
    const std::set<std::string> moved_back = moved_back_of(set.behind);
    for (const ReviewItem& item : set.behind) {
      by_path_.emplace(item.change.path, &item);
      const bool directory = item.change.after.kind == EntryKind::Directory &&
                             item.change.before.kind == EntryKind::Directory;
      if (!is_meant_behind(item) || (directory && !item.change.mode_changed)) {
        continue;
      }
      if (moved_back.count(item.change.path) != 0) {
        plan_.hiding.emplace(item.change.path, time_of_own(item.change.after));
      } else {
        catch_up(item);
      }
    }
    if (selection_.everything()) {
      moved_gone_ = std::move(set.moved_gone);
    }
    prune_what_is_alike();
    plan_.left.clear();
    return std::move(plan_);
  }

 private:
  // Both halves of a rename go together.
  [[nodiscard]] bool is_meant(const ReviewItem& item) const {
    const std::string& partner = item.resolution.partner;
    return item.standing == Standing::Normal && (selection_.selects(item.change.path) ||
                                                 (!partner.empty() && selection_.selects(partner)));
  }

  [[nodiscard]] bool is_meant_behind(const ReviewItem& item) const {
    return is_meant(item) || (changes::hides_ignored(item) && selection_.selects(item.change.path));
  }

  static bool both_changed(const ReviewItem& item) {
    return item.drift != Drift::None || !item.resolution.partner.empty();
  }

  // A build on both sides leaves thousands of these: no reason to fail.
  [[nodiscard]] bool is_left_ignored(const ReviewItem& item) const {
    const Verdict verdict = item.resolution.verdict;
    return item.standing == Standing::Ignored && item.drift != Drift::None &&
           (verdict == Verdict::Conflict || verdict == Verdict::Merge) &&
           selection_.selects(item.change.path);
  }

  void leave(const ReviewItem& item, const char* reason) { plan_.left.push_back({item, reason}); }

  void resolve(const ReviewItem& item) {
    const Resolution& how = item.resolution;
    if (how.verdict == Verdict::Conflict) {
      leave(item, to_sentence(how.clash));
      return;
    }
    if (how.verdict == Verdict::Write && is_one_text(item)) {
      rebase(item);
      return;
    }
    // The new name of a rename gets the merge.
    if (how.verdict != Verdict::Merge || item.change.kind == ChangeKind::Deleted) {
      return;
    }
    if (item.change.after.nlink > 1) {
      leave(item, kOtherNames);
      return;
    }
    RefreshStep step;
    step.kind = RefreshStep::Kind::Rewrite;
    step.path = item.change.path;
    step.base_path = how.partner.empty() ? item.change.path : how.partner.str();
    step.sides = changes::sides_of(item.change);
    if (!how.partner.empty()) {
      const auto partner = by_path_.find(how.partner);
      if (partner == by_path_.end()) {
        return;
      }
      step.sides.project_path = how.partner;
      step.sides.project = partner->second->change.before;
    }
    step.real = step.sides.project;
    step.how = how;
    step.item = item;
    plan_.steps.push_back(std::move(step));
  }

  static bool is_one_text(const ReviewItem& item) {
    const auto small_file = [](const Entry& entry) {
      return entry.kind == EntryKind::File && changes::small_enough_to_merge(entry);
    };
    return item.drift != Drift::None && small_file(item.change.before) &&
           small_file(item.change.after);
  }

  void rebase(const ReviewItem& item) {
    RefreshStep step;
    step.kind = RefreshStep::Kind::Rebase;
    step.path = item.change.path;
    step.base_path = item.change.path;
    step.sides = changes::sides_of(item.change);
    step.real = item.change.before;
    step.item = item;
    plan_.steps.push_back(std::move(step));
  }

  // The session has nothing of its own there.
  void catch_up(const ReviewItem& item) {
    const Entry& above = item.change.after;
    if (!whole_.empty() && is_at_or_below(item.change.path, whole_)) {
      return;  // comes with its directory
    }
    if (!above.exists() && item.change.before.kind == EntryKind::Directory) {
      whole_ = item.change.path;
    }
    RefreshStep step;
    step.path = item.change.path;
    step.base_path = item.change.path;
    step.real = item.change.before;
    step.item = item;
    if (above.kind == EntryKind::Directory) {
      if (step.real.kind != EntryKind::Directory) {
        plan_.emptied.insert(step.path);
        return;
      }
      step.kind = RefreshStep::Kind::Adopt;
    } else if (above.nlink > 1) {
      leave(item, kOtherNames);
      return;
    }
    plan_.steps.push_back(std::move(step));
  }

  // No changes, but later ones of the project would be hidden.
  void prune_what_is_alike() {
    const auto bases = store::all_bases(*session_.db, session_.row.id);
    const auto facts = session_.dir.read_facts();
    const std::int64_t base_time = facts ? facts->base_time_ns : session_.row.base_time_ns;
    for (const UpperEntry& entry : upper()) {
      if (!may_be_alike(entry)) {
        continue;
      }
      const auto base = bases.find(entry.path);
      Entry real = overlay::look_beneath(session_.lower.get(), entry.path);
      const bases::DriftFacts drift{real, base == bases.end() ? nullptr : &base->second, base_time,
                                    false, false};
      const bool hides_nothing = entry.kind == UpperKind::Whiteout && !real.exists();
      if ((bases::drift_of(drift) == Drift::None && !hides_nothing) || is_ignored(entry.path) ||
          (hides_nothing && is_moved_gone(entry.path))) {
        continue;
      }
      RefreshStep step;
      step.kind = RefreshStep::Kind::Prune;
      step.path = entry.path;
      step.base_path = entry.path;
      step.real = std::move(real);
      plan_.steps.push_back(std::move(step));
    }
  }

  [[nodiscard]] bool may_be_alike(const UpperEntry& entry) const {
    const bool one_entry = entry.kind == UpperKind::Whiteout ||
                           (entry.kind == UpperKind::Plain && entry.entry.nlink == 1 &&
                            entry.entry.kind != EntryKind::Directory);
    return one_entry && selection_.selects(entry.path) && by_path_.count(entry.path) == 0 &&
           !session::git_dir_of(entry.path) && !changes::is_lectic_script(entry.path);
  }

  const std::vector<UpperEntry>& upper() {
    if (!upper_) {
      upper_ = overlay::list_upper(session_.upper.get());
    }
    return *upper_;
  }

  // Of the files without a change of the session's: those that are the old names of what the user
  // has moved and the session deletes at its new name, which are conflicts. The new names need not
  // be selected.
  std::set<std::string> moved_back_of(const std::vector<ReviewItem>& behind) {
    std::set<std::string> paths;
    for (const ReviewItem& item : behind) {
      if (item.change.after.kind == EntryKind::File) {
        paths.insert(item.change.path);
      }
    }
    if (selection_.everything() || paths.empty()) {
      return {};  // or the review has found them
    }
    std::set<std::string> meant = paths;
    for (const UpperEntry& entry : upper()) {
      if (entry.kind == UpperKind::Whiteout || entry.kind == UpperKind::OpaqueDir) {
        meant.insert(entry.path);
      }
    }
    if (meant.size() == paths.size()) {
      return {};
    }
    // Each path that is looked at is held against each of these.
    constexpr std::size_t kMostPaths = 100;
    const session::Selection selection = meant.size() > kMostPaths
                                             ? session::Selection{}
                                             : session::select_literally(meant, session_.project);
    const ReviewSet set = changes::review_changes(session_, selection, changes::WalkGitDirs::No);
    for (const ReviewItem& item : set.behind) {
      paths.erase(item.change.path);
    }
    return paths;
  }

  // Of a deletion that hides nothing: whether it is the old name of a move that is in conflict.
  bool is_moved_gone(const std::string& path) {
    if (!moved_gone_) {
      ReviewSet set =
          changes::review_changes(session_, session::Selection{}, changes::WalkGitDirs::No);
      moved_gone_ = std::move(set.moved_gone);
    }
    return moved_gone_->count(path) != 0;
  }

  bool is_ignored(const std::string& path) {
    if (!rules_) {
      rules_.emplace(changes::make_ignore_rules(view_, session_.project.root));
    }
    return rules_->ignored(path, false);
  }

  const session::ReviewSession& session_;
  const session::Selection& selection_;
  overlay::View view_{session_.upper.get(), session_.lower.get()};
  std::optional<git::IgnoreRules> rules_;
  std::map<std::string, const ReviewItem*> by_path_;
  std::optional<std::vector<UpperEntry>> upper_;
  std::optional<std::set<std::string>> moved_gone_;
  std::string whole_;  // the last directory that the session lacks and gets with all that is in it
  RefreshPlan plan_;
};

}  // namespace

RefreshPlan make_refresh_plan(const session::ReviewSession& session,
                              const session::Selection& selection) {
  return RefreshPlanner{session, selection}.plan();
}

RefreshPlan make_keep_up_plan(const session::ReviewSession& session,
                              const std::set<std::string>& paths) {
  return RefreshPlanner{session, session::select_literally(paths, session.project)}
      .plan_untouched();
}

bool is_reported(const RefreshStep& step) {
  return step.kind != RefreshStep::Kind::Prune && step.kind != RefreshStep::Kind::Rebase;
}

}  // namespace shadow::refresh
