// SPDX-License-Identifier: MIT
#include "changes/review_set.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "bases/capture/drift.hpp"
#include "bases/capture/existence.hpp"
#include "bases/ledger/copies.hpp"
#include "changes/empty_directories.hpp"
#include "changes/hiding.hpp"
#include "changes/ignore_set.hpp"
#include "changes/lines.hpp"
#include "changes/merger.hpp"
#include "changes/moves/moved_back.hpp"
#include "changes/moves/moved_gone.hpp"
#include "changes/moves/widened_moves.hpp"
#include "changes/reviewed_file.hpp"
#include "changes/rights/directory_rights.hpp"
#include "changes/trees/tree_rules.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/scan.hpp"
#include "overlay/read/view.hpp"
#include "policy/config_file.hpp"
#include "session/project/git_dir.hpp"
#include "store/database/database.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/tallies.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/clock.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace shadow::changes {

bool hides_ignored(const ReviewItem& item) {
  const EntryKind kind = item.change.after.kind;
  return item.standing == Standing::Ignored && item.drift != Drift::None &&
         (kind == EntryKind::File || kind == EntryKind::Symlink);
}

bool is_lectic_script(std::string_view path) {
  return sys::split_path(path).name.substr(0, 15) == ".lectic_script-";
}

namespace {

std::int64_t base_time_of(const session::ReviewSession& session) {
  const auto facts = session.dir.read_facts();
  return facts ? facts->base_time_ns : session.row.base_time_ns;
}

// By the number of the change. What was added, which is most of what there are many of, has none.
using Bases = std::map<std::size_t, Base>;

// Judges one change after the other; what all of them need is read once.
class Judge {
 public:
  Judge(const session::ReviewSession& session, const std::vector<Change>& changes)
      : session_{session},
        view_{session.upper.get(), session.lower.get()},
        merger_{session},
        copies_{session},
        hiding_{session},
        base_time_ns_{base_time_of(session)},
        existence_{session, base_time_ns_},
        config_{policy::load_config({sys::environment("HOME").value_or(""), session.state.path(),
                                     session.project.root, session.project.cwd})},
        sensitive_{std::make_shared<sensitive::SensitiveRules>(places_of_session(
            session, changes, config_.sensitive, ignored_files(view_, session.project.root)))},
        git_dirs_{session::git_dirs_inside(session.project.root)} {}

  // Once before all are judged: what a deleted directory held has a base in the tree alone.
  void fetch_texts(const std::vector<Change>& changes, const Bases& bases) {
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (bases.count(i) == 0 && changes[i].before.kind == EntryKind::File &&
          changes[i].before.ctime_ns > base_time_ns_) {
        paths.push_back(changes[i].path);
      }
    }
    if (!paths.empty()) {
      existence_.fetch_texts(paths);
    }
  }

  struct Judged {
    ReviewItem item;
    bool behind = false;  // no change of the session's
  };

  // A copy of the project's is a change only where what the session made lies in it.
  enum class Copy : std::uint8_t { Counts, CountsNot };

  Judged judge(Change change, const Base* base, Copy copy = Copy::CountsNot) {
    Judged judged;
    ReviewItem& item = judged.item;
    item.change = std::move(change);
    const std::string& path = item.change.path;
    item.standing = standing_of(item.change);
    std::optional<Base> later;
    if (base != nullptr && merger_.may_be_later(path)) {
      later = merger_.base_of(sides_of(item.change), base);
      base = &*later;
    }
    const Base none = Base::absent(BaseSource::Apply);
    if (is_copy_of_gone_directory(item.change)) {
      base = &none;
    }
    item.drift = drift_with_content(item.change, base);
    const auto by_tree = base == nullptr ? base_without_row(item) : std::nullopt;
    if (by_tree) {
      base = &*by_tree;
      item.drift = drift_with_content(item.change, base);
    }
    item.resolution.verdict =
        item.change.kind == ChangeKind::Deleted ? Verdict::Delete : Verdict::Write;
    const bool deleted = !item.change.after.exists();
    const bool no_change = base == nullptr ? merger_.is_trace(sides_of(item.change)) ||
                                                 hiding_.is_new_directory(item.change, existence_)
                                           : deleted && base->is_absent() &&
                                                 hiding_.came_after(path, item.change.before);
    if (no_change || (copy == Copy::CountsNot && (copies_.is_untouched(path, item.change.after) ||
                                                  (deleted && copies_.came_later(path))))) {
      item.resolution.verdict = Verdict::Nothing;
      judged.behind = true;
    } else if (base == nullptr && keeps_rights(item.change)) {
      item.resolution.verdict = Verdict::Nothing;
    } else if (item.drift != Drift::None) {
      item.resolution = merger_.resolve(sides_of(item.change), base);
      if (base != nullptr && merger_.is_way_to_changes(sides_of(item.change), *base)) {
        ways_.insert(path);
      }
      judged.behind = item.resolution.verdict == Verdict::Nothing;
    } else if (may_lose_acl(session_.lower.get(), item.change, base) && keeps_rights(item.change)) {
      item.resolution.verdict = Verdict::Conflict;
      item.resolution.clash = Clash::Attributes;
    } else if (deleted && hiding_.was_no_directory(path)) {
      item.resolution.verdict = Verdict::Conflict;
      item.resolution.clash = Clash::Kind;
    }
    if (item.drift == Drift::Changed && base != nullptr && base->content().is_stored()) {
      item.base = std::make_shared<const KeptBase>(KeptBase{base->entry(), base->content().hash()});
    }
    if (item.standing == Standing::Ignored || is_in_ignored_repository(path)) {
      item.fold = fold_of(path);
    }
    if (!is_in_own_git_dir(path)) {
      item.sensitive = sensitive_->reason_of(item.change);
      item.judged = item.sensitive.empty() ? sensitive_->judged_text() : "";
    }
    item.remark = sensitive::SensitiveRules::remark_on(item.change);
    return judged;
  }

  // For ReviewSet::judge_text.
  [[nodiscard]] std::shared_ptr<sensitive::SensitiveRules> rules() const { return sensitive_; }

  // Directories, of those that were judged, that count for what is in them alone.
  [[nodiscard]] const std::set<std::string>& ways() const { return ways_; }

  // True if a path in a git directory is that of a work tree which git ignores.
  bool is_in_ignored_repository(const std::string& path) {
    const auto git_dir = session::git_dir_of(path);
    const std::string_view work_tree = git_dir ? sys::split_path(*git_dir).parent : "";
    return !work_tree.empty() && !is_in_own_git_dir(path) && is_ignored(work_tree, true);
  }

 private:
  // With what the session made in it, it is the session's own by now.
  [[nodiscard]] bool is_copy_of_gone_directory(const Change& change) const {
    return change.after.kind == EntryKind::Directory &&
           change.before.kind != EntryKind::Directory && copies_.is_copied_directory(change.path);
  }

  // Where no look at the upper found the project's in its place.
  std::optional<Base> base_without_row(const ReviewItem& item) {
    const Change& change = item.change;
    if (!change.before.exists()) {
      return change.after.kind == EntryKind::Directory ? existence_.base_of_gone_directory(change)
                                                       : std::nullopt;
    }
    const bool asks = item.drift != Drift::None || keeps_rights(change) ||
                      (!change.after.exists() && hiding_.may_have_moved_in(change.path));
    return asks ? existence_.base_by_tree(change.path, change.before) : std::nullopt;
  }

  [[nodiscard]] bool keeps_rights(const Change& change) const {
    return may_have_projects_rights(change, base_time_ns_);
  }

  [[nodiscard]] bool is_in_own_git_dir(const std::string& path) const {
    return std::any_of(git_dirs_.begin(), git_dirs_.end(),
                       [&path](const std::string& dir) { return is_at_or_below(path, dir); });
  }

  Standing standing_of(const Change& change) {
    if (is_in_own_git_dir(change.path) || session::git_dir_of(change.path)) {
      return Standing::GitDir;
    }
    const bool directory =
        (change.after.exists() ? change.after : change.before).kind == EntryKind::Directory;
    return is_ignored(change.path, directory) ? Standing::Ignored : Standing::Normal;
  }

  bool is_ignored(std::string_view path, bool directory) {
    if (!rules_) {
      rules_.emplace(make_ignore_rules(view_, session_.project.root));
    }
    return rules_->ignored(path, directory);
  }

  std::string fold_of(const std::string& path) {
    for (std::size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      if (rules_->ignored(std::string_view{path}.substr(0, slash), true)) {
        return path.substr(0, slash);
      }
    }
    return path;
  }

  Drift drift_with_content(const Change& change, const Base* base) {
    bases::DriftFacts facts{
        change.before, base, base_time_ns_, false, change.after.kind == EntryKind::Directory,
        false};
    if (base == nullptr) {
      facts.copied_up = change.copied_up;
      facts.was_there =
          !change.before.exists() && !facts.directory && existence_.was_there(change.path);
    }
    const Drift drift = bases::drift_of(facts);
    // A checkout or a touch gives a file new times and leaves its content. Attributes are not kept
    // with the base: who changed them cannot be told then.
    if (drift == Drift::Changed && base != nullptr && !change.xattrs_changed &&
        !change.acl_changed && equals(session_.lower.get(), change.path, change.before, *base)) {
      return Drift::None;
    }
    return drift;
  }

  static bool equals(int root, const std::string& path, const Entry& entry, const Base& base) {
    const sys::Fd file =
        entry.kind == EntryKind::File ? open_reviewed(root, path, entry) : sys::Fd{};
    return bases::equals_base(entry, file.get(), base);
  }

  const session::ReviewSession& session_;
  overlay::View view_;
  Merger merger_;
  bases::Copies copies_;
  Hiding hiding_;
  std::int64_t base_time_ns_;
  bases::Existence existence_;
  std::optional<git::IgnoreRules> rules_;
  policy::Config config_;
  std::shared_ptr<sensitive::SensitiveRules> sensitive_;
  std::vector<std::string> git_dirs_;  // the project's own, whatever their names
  std::set<std::string> ways_;
};

Bases bases_of(const session::ReviewSession& session, const std::vector<Change>& changes) {
  const store::Snapshot snapshot{*session.db};
  Bases bases;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (auto base = store::find_base(*session.db, session.row.id, changes[i].path)) {
      bases.emplace_hint(bases.end(), i, std::move(*base));
    }
  }
  return bases;
}

// For a list of all sessions. Whoever looks does so for another reason, and does not wait for
// another writer to say the same once more.
void record_count(const session::ReviewSession& session, const store::Tally& before,
                  const ReviewSet& set) {
  constexpr std::int64_t kMoment = 60'000'000'000;
  const std::int64_t now = sys::now_ns();
  const std::uint64_t count = count_takeable(set.items);
  if (before.changes == count && before.changes_version == before.version &&
      now - before.counted_ns < kMoment) {
    return;
  }
  try {
    store::put_changes(*session.db, session.row.id, before.version, count, now);
  } catch (const Error&) {
    return;
  }
}

// Whatever a repository holds, it is told that it comes.
bool is_new_git_dir(const session::ReviewSession& session, const std::string& path) {
  return overlay::look_beneath(session.upper.get(), path).kind == EntryKind::Directory &&
         !overlay::look_beneath(session.lower.get(), path).exists();
}

// What the session made in a directory that the project has no more needs that directory.
void judge_needed_directories(const session::ReviewSession& session, Judge& judge, ReviewSet& set) {
  std::vector<ReviewItem> needed;
  std::erase_if(set.behind, [&](ReviewItem& item) {
    const bool leads = item.change.after.kind == EntryKind::Directory &&
                       item.change.before.kind != EntryKind::Directory &&
                       has_change_below(set.items, item.change.path);
    if (leads) {
      needed.push_back(std::move(item));
    }
    return leads;
  });
  for (ReviewItem& item : needed) {
    const auto base = store::find_base(*session.db, session.row.id, item.change.path);
    Judge::Judged judged =
        judge.judge(std::move(item.change), base ? &*base : nullptr, Judge::Copy::Counts);
    set.items.push_back(std::move(judged.item));
  }
  const auto in_order = [](const ReviewItem& a, const ReviewItem& b) {
    return a.change.path < b.change.path;
  };
  std::inplace_merge(set.items.begin(),
                     set.items.end() - static_cast<std::ptrdiff_t>(needed.size()), set.items.end(),
                     in_order);
}

ReviewSet look_once(const session::ReviewSession& session, const session::Selection& selection,
                    WalkGitDirs git_dirs) {
  std::vector<std::string> found;
  const auto is_wanted = [&](std::string_view path, bool directory) {
    const bool wanted = directory ? selection.leads_to(path) : selection.selects(path);
    const bool is_git_dir = sys::split_path(path).name == ".git";
    if (wanted && is_git_dir) {
      found.emplace_back(path);
    }
    return wanted && !(is_git_dir && git_dirs == WalkGitDirs::No);
  };
  ChangeSet changes = overlay::scan(session.upper.get(), session.lower.get(), is_wanted);
  const Bases bases = bases_of(session, changes.changes);
  Judge judge{session, changes.changes};
  judge.fetch_texts(changes.changes, bases);
  ReviewSet set;
  set.too_deep = std::move(changes.too_deep);
  set.items.reserve(changes.changes.size());
  for (std::size_t i = 0; i < changes.changes.size(); ++i) {
    Change& change = changes.changes[i];
    if (!selection.selects(change.path) || is_lectic_script(change.path)) {
      continue;
    }
    const auto base = bases.find(i);
    Judge::Judged judged =
        judge.judge(std::move(change), base == bases.end() ? nullptr : &base->second);
    (judged.behind ? set.behind : set.items).push_back(std::move(judged.item));
  }
  judge_needed_directories(session, judge, set);
  leave_ways_to_nothing(judge.ways(), set);
  leave_filled_again(set);
  ignore_unseen_directories(set.items);
  judge_moved_back(session, set.items, set.behind);
  set.moved_gone = judge_moved_gone(session, changes.gone, set.items);
  note_widened_moves(session, set.items);
  set.judge_text = [rules = judge.rules()](const Change& change, std::string text) {
    return rules->reason_of_written(change, std::move(text));
  };
  for (std::string& path : found) {
    if (is_new_git_dir(session, path)) {
      const bool ignored = judge.is_in_ignored_repository(path);
      set.new_git_dirs.push_back({std::move(path), ignored});
    } else if (overlay::look_beneath(session.lower.get(), path).exists()) {
      set.old_git_dirs.push_back(std::move(path));
    }
  }
  return set;
}

}  // namespace

ReviewSet review_changes(const session::ReviewSession& session, const session::Selection& selection,
                         WalkGitDirs git_dirs) {
  constexpr int kAttempts = 5;
  for (int attempt = 1;; ++attempt) {
    try {
      const store::Tally before = store::find_tally(*session.db, session.row.id);
      ReviewSet set = look_once(session, selection, git_dirs);
      if (selection.everything()) {
        record_count(session, before, set);
      }
      return set;
    } catch (const StaleError&) {  // a run is writing
      if (attempt == kAttempts) {
        throw;
      }
    }
  }
}

}  // namespace shadow::changes
