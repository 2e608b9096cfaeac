// SPDX-License-Identifier: MIT
#include "apply/choice/choice.hpp"

#include "base/text.hpp"
#include "changes/dependents/dependents.hpp"
#include "changes/dependents/item_range.hpp"
#include "sensitive/repositories/new_git_dir.hpp"
#include "session/project/git_dir.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace shadow::apply {

namespace {

bool covered(const std::string& path, const std::vector<std::string>& above) {
  return std::any_of(above.begin(), above.end(), [&path](const std::string& directory) {
    return is_at_or_below(path, directory);
  });
}

using changes::find_item;
using changes::first_in;
using changes::ItemRange;
using changes::items_below;

bool was_directory(const ReviewItem& item) {
  return item.change.before.kind == EntryKind::Directory &&
         item.change.after.kind != EntryKind::Directory;
}

// True if two names may become one file by an apply: new ones, or those of one file already.
bool may_share(const Entry& one, const Entry& other) {
  return one.exists() == other.exists() &&
         (!one.exists() || (one.ino == other.ino && one.dev == other.dev));
}

class Chooser {
 public:
  Chooser(ReviewSet& set, const ApplyChoice& choice,
          const std::function<bool(const std::string& path)>& has_git_dir)
      : set_{set}, choice_{choice}, has_git_dir_{has_git_dir} {}

  ChosenChanges choose() {
    for (std::size_t i = 0; i < set_.items.size(); ++i) {
      const std::string& path = set_.items[i].change.path;
      if (choice_.selection.selects(path) && choice_.refused.count(path) == 0) {
        sort_out(i);
      }
    }
    if (choice_.on_conflict == OnConflict::Ours || choice_.on_conflict == OnConflict::Skip) {
      leave_conflicts();
    }
    leave_needless_directories();
    add_needed_directories();
    leave_full_directories();
    const std::set<std::size_t> stopping = find_stopping();
    const changes::Dependents dependents = changes::dependents_of(
        set_.items, taken_, stopping, stopping.empty() ? changes::Together{} : together());
    for (const std::size_t i : taken_) {
      drop_untaken_partner(set_.items[i]);
      drop_untaken_link(set_.items[i].change);
    }
    for (const std::size_t i : stopping) {
      chosen_.conflicts.push_back(set_.items[i]);
    }
    mark(dependents);
    move_taken();
    return std::move(chosen_);
  }

 private:
  void sort_out(std::size_t i) {
    const ReviewItem& item = set_.items[i];
    if (item.resolution.verdict == Verdict::Nothing) {
      return;  // unless something that is taken needs it
    }
    if (item.change.after.kind == EntryKind::Device) {
      leave(i, SkipReason::Device);
    } else if (item.standing == Standing::GitDir) {
      sort_out_git(i);
    } else if (item.standing == Standing::Ignored && !choice_.ignored) {
      leave(i, SkipReason::Ignored);
    } else if (const std::size_t judged = may_go(i) ? needs(i) : i; may_go(judged)) {
      taken_.insert(i);
    } else if (choice_.skip_sensitive) {
      leave(i, SkipReason::Sensitive);
    } else if (judged == i || !choice_.selection.selects(set_.items[judged].change.path)) {
      block(set_.items[judged]);
    }
  }

  void block(const ReviewItem& item) {
    if (chosen_.blocked.empty() || chosen_.blocked.back().change.path != item.change.path) {
      chosen_.blocked.push_back(item);
    }
  }

  bool may_go(std::size_t i) const {
    const ReviewItem& item = set_.items[i];
    return item.sensitive.empty() || choice_.allow_sensitive || allowed_by_path(item) ||
           goes_with_what_is_in_it(i);
  }

  // A directory above that is applied with it, in place of a link; else the item itself.
  std::size_t needs(std::size_t i) {
    return link_at_or_above(sys::split_path(set_.items[i].change.path).parent).value_or(i);
  }

  // Remembered for each directory: in a deep tree the way to the top is long, and the same for all
  // that is in one.
  std::optional<std::size_t> link_at_or_above(std::string_view directory) {
    if (directory.empty()) {
      return std::nullopt;
    }
    if (const auto known = links_above_.find(directory); known != links_above_.end()) {
      return known->second;
    }
    std::optional<std::size_t> at = find(directory);
    if (!at || set_.items[*at].change.before.kind != EntryKind::Symlink) {
      at = link_at_or_above(sys::split_path(directory).parent);
    }
    links_above_.emplace(directory, at);
    return at;
  }

  // A sensitive directory is what is in it, which is judged by itself; but one in place of a link
  // changes where others lead.
  bool goes_with_what_is_in_it(std::size_t i) const {
    const Change& change = set_.items[i].change;
    const EntryKind kind = (change.after.exists() ? change.after : change.before).kind;
    return kind == EntryKind::Directory && change.before.kind != EntryKind::Symlink &&
           !below(i).empty();
  }

  void sort_out_git(std::size_t i) {
    const ReviewItem& item = set_.items[i];
    const std::string dir = session::git_dir_of(item.change.path).value_or(item.change.path);
    const bool fresh = !is_old_git_dir(dir) && sensitive::belongs_to_new_git_dir(item.change);
    if (!item.fold.empty() && !choice_.ignored) {
      leave(i, SkipReason::Ignored);
    } else if (fresh && is_held(item) && !allowed_by_path(item)) {
      leave(i, SkipReason::History);
    } else if (fresh || (!item.sensitive.empty() && allowed_by_path(item))) {
      taken_.insert(i);
    } else {
      leave(i, SkipReason::GitDir);
    }
  }

  bool is_held(const ReviewItem& item) const {
    return std::any_of(choice_.held.begin(), choice_.held.end(), [&item](const auto& held) {
      return is_at_or_below(item.change.path, held.first);
    });
  }

  bool is_old_git_dir(const std::string& dir) {
    const auto [found, is_new] = old_git_dirs_.try_emplace(dir, false);
    if (is_new) {
      found->second = has_git_dir_(dir);
    }
    return found->second;
  }

  bool allowed_by_path(const ReviewItem& item) const {
    return covered(item.change.path, choice_.sensitive_paths);
  }

  void leave(std::size_t i, SkipReason because) {
    chosen_.left.push_back({set_.items[i], because});
  }

  std::optional<std::size_t> find(std::string_view path) const {
    return find_item(set_.items, path);
  }

  // What depends on them stays as well. With Ours the new name of a file, and another name of it,
  // are files of their own.
  void leave_conflicts() {
    std::set<std::size_t> conflicts;
    for (const std::size_t i : taken_) {
      ReviewItem item = set_.items[i];
      drop_untaken_partner(item);
      if (item.resolution.verdict == Verdict::Conflict && !changes::is_new_name(item)) {
        conflicts.insert(i);
      }
    }
    const changes::Dependents dependents = changes::dependents_of(
        set_.items, taken_, conflicts,
        choice_.on_conflict == OnConflict::Skip ? together() : choice_.together);
    for (const auto& [i, because] : dependents) {
      conflicts.insert(i);
    }
    for (const std::size_t i : conflicts) {
      taken_.erase(i);
      leave(i, SkipReason::Conflict);
    }
  }

  [[nodiscard]] bool stops_all(const ReviewItem& item) const {
    return !changes::is_new_name(item) && stops(item, choice_.on_conflict);
  }

  [[nodiscard]] std::set<std::size_t> find_stopping() const {
    std::set<std::size_t> stopping;
    for (const std::size_t i : taken_) {
      const ReviewItem& item = set_.items[i];
      bool stopped = false;
      if (item.resolution.partner.empty()) {
        stopped = stops_all(item);
      } else {
        ReviewItem alone = item;
        drop_untaken_partner(alone);
        stopped = stops_all(alone);
      }
      if (stopped) {
        stopping.insert(stopping.end(), i);
      }
    }
    return stopping;
  }

  // Nothing is written then. They are told apart from what would be, once the conflicts are
  // settled.
  void mark(const changes::Dependents& dependents) {
    for (const auto& [i, because] : dependents) {
      ReviewItem& item = set_.items[i];
      if (taken_.count(i) != 0 && item.resolution.verdict != Verdict::Conflict) {
        item.depends_on = set_.items[because].change.path;
      }
    }
  }

  // Most often all are taken: they stay where they are, and the others go elsewhere.
  void move_taken() {
    std::vector<ReviewItem> rest;
    rest.reserve(set_.items.size() - taken_.size());
    auto next = taken_.begin();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < set_.items.size(); ++i) {
      if (next == taken_.end() || *next != i) {
        rest.push_back(std::move(set_.items[i]));
        continue;
      }
      ++next;
      if (kept != i) {
        set_.items[kept] = std::move(set_.items[i]);
      }
      ++kept;
    }
    set_.items.resize(kept);
    chosen_.taken = std::exchange(set_.items, std::move(rest));
  }

  [[nodiscard]] changes::Together together() const {
    changes::Together pairs = changes::names_of_one_file(set_.items);
    pairs.insert(pairs.end(), choice_.together.begin(), choice_.together.end());
    return pairs;
  }

  // A new directory is not made for nothing when all that is in it stays in the session.
  void leave_needless_directories() {
    const std::vector<std::size_t> chosen{taken_.rbegin(), taken_.rend()};
    for (const std::size_t i : chosen) {
      const Change& change = set_.items[i].change;
      if (change.kind == ChangeKind::Modified || change.after.kind != EntryKind::Directory) {
        continue;
      }
      const ItemRange children = below(i);
      if (!children.empty() && !first_in(taken_, children)) {
        taken_.erase(i);
        if (change.kind == ChangeKind::TypeChanged) {
          leave(i, SkipReason::NotEmpty);
        }
      }
    }
  }

  // A new file in a new directory brings the directory along, whether or not it was selected.
  void add_needed_directories() {
    const std::vector<std::size_t> chosen{taken_.begin(), taken_.end()};
    std::string_view last;
    for (const std::size_t i : chosen) {
      std::string_view above = sys::split_path(set_.items[i].change.path).parent;
      if (!set_.items[i].change.after.exists() || above == last) {
        continue;
      }
      last = above;
      for (; !above.empty(); above = sys::split_path(above).parent) {
        const auto at = find(above);
        if (at && set_.items[*at].change.kind != ChangeKind::Modified &&
            !taken_.insert(*at).second) {
          break;  // what that one needs is seen to with it
        }
      }
    }
  }

  // A directory in which something stays cannot go. Its children come after it in the order.
  void leave_full_directories() {
    const std::vector<std::size_t> chosen{taken_.rbegin(), taken_.rend()};
    std::set<std::size_t> staying;
    for (std::size_t i = 0; i < set_.items.size(); ++i) {
      if (taken_.count(i) == 0) {
        staying.insert(staying.end(), i);
      }
    }
    for (const std::size_t i : chosen) {
      const ReviewItem& item = set_.items[i];
      if (was_directory(item) && first_in(staying, below(i))) {
        taken_.erase(i);
        staying.insert(i);
        leave(i, item.sensitive.empty() ? SkipReason::NotEmpty : SkipReason::Sensitive);
      }
    }
  }

  ItemRange below(std::size_t i) const {
    return items_below(set_.items, set_.items[i].change.path);
  }

  // Half of a rename: the deletion meets the edit, the new file is what the session has.
  void drop_untaken_partner(ReviewItem& item) const {
    Resolution& resolution = item.resolution;
    if (resolution.partner.empty()) {
      return;
    }
    const auto partner = find(resolution.partner.str());
    if (partner && taken_.count(*partner) != 0) {
      return;
    }
    resolution = Resolution{};
    if (item.change.kind == ChangeKind::Deleted) {
      resolution.verdict = Verdict::Conflict;
      resolution.clash = Clash::GoneInSession;
    }
  }

  // A hard link to a change that stays would be one to the old content: it is written as a file. So
  // is what shares its content with a git directory: it need not arrive there as it is. And a file
  // that the project has gets no other name: who writes to that later would write to the file,
  // which no patch tells.
  void drop_untaken_link(Change& change) const {
    if (change.link_to.empty()) {
      return;
    }
    if (session::git_dir_of(change.path) || session::git_dir_of(change.link_to.str())) {
      change.link_to.clear();
      return;
    }
    const auto target = find(change.link_to.str());
    if (target && taken_.count(*target) == 0) {
      change.link_to.clear();
    } else {
      change.link_is_copy = !target || !may_share(set_.items[*target].change.before, change.before);
    }
  }

  ReviewSet& set_;
  const ApplyChoice& choice_;
  const std::function<bool(const std::string& path)>& has_git_dir_;
  ChosenChanges chosen_;
  std::set<std::size_t> taken_;
  std::map<std::string, bool> old_git_dirs_;
  std::unordered_map<std::string_view, std::optional<std::size_t>> links_above_;
};

}  // namespace

ChosenChanges choose_changes(ReviewSet& set, const ApplyChoice& choice,
                             const std::function<bool(const std::string& path)>& has_git_dir) {
  return Chooser{set, choice, has_git_dir}.choose();
}

}  // namespace shadow::apply
