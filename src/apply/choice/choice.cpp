// SPDX-License-Identifier: MIT
#include "apply/choice/choice.hpp"

#include "apply/choice/item_range.hpp"
#include "base/text.hpp"
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

// True if there are two texts to put side by side. An added path is the new name of a deleted one.
bool can_have_markers(const ReviewItem& item) {
  const Change& change = item.change;
  const bool two_files = change.before.kind == EntryKind::File || !item.resolution.partner.empty();
  switch (item.resolution.clash) {
    case Clash::NoBase:
    case Clash::NoText:
    case Clash::BothAdded:
    case Clash::Lines:
      return two_files && change.after.kind == EntryKind::File;
    default:
      return false;
  }
}

bool stops(const ReviewItem& item, OnConflict how) {
  const Verdict verdict = item.resolution.verdict;
  if (item.resolution.replaces && how == OnConflict::Stop) {
    return true;
  }
  if (verdict != Verdict::Merge && verdict != Verdict::Conflict) {
    return false;
  }
  switch (how) {
    case OnConflict::Stop:
      return true;
    case OnConflict::Merge:
      return verdict == Verdict::Conflict;
    case OnConflict::Markers:
      return verdict == Verdict::Conflict && !can_have_markers(item) &&
             !(item.change.kind == ChangeKind::Deleted && !item.resolution.partner.empty());
    default:
      return false;
  }
}

bool was_directory(const ReviewItem& item) {
  return item.change.before.kind == EntryKind::Directory &&
         item.change.after.kind != EntryKind::Directory;
}

class Chooser {
 public:
  Chooser(const ReviewSet& set, const ApplyChoice& choice,
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
    if (choice_.on_conflict == OnConflict::Skip) {
      leave_what_belongs_to_left();
    }
    leave_needless_directories();
    add_needed_directories();
    leave_full_directories();
    for (const std::size_t i : taken_) {
      ReviewItem item = set_.items[i];
      drop_untaken_partner(item);
      drop_untaken_link(item.change);
      // A renamed file has two names. The old one is reported: there the project has an edit.
      const bool new_name =
          item.change.kind == ChangeKind::Added && !item.resolution.partner.empty();
      if (!new_name && stops(item, choice_.on_conflict)) {
        chosen_.conflicts.push_back(item);
      }
      chosen_.taken.push_back(std::move(item));
    }
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

  // Paths below one that stays as it is in the project cannot be written either.
  void leave_conflicts() {
    const std::vector<std::size_t> chosen{taken_.begin(), taken_.end()};
    for (const std::size_t i : chosen) {
      ReviewItem item = set_.items[i];
      drop_untaken_partner(item);
      const bool new_name =
          item.change.kind == ChangeKind::Added && !item.resolution.partner.empty();
      if (item.resolution.verdict == Verdict::Conflict && !new_name) {
        leave_taken(i);
        const ItemRange children = below(i);
        while (const auto child = first_in(taken_, children)) {
          leave_taken(*child);
        }
      }
    }
    leave_emptied_directories(chosen);
  }

  // The other half of a rename, and the other names of a file, until nothing more follows.
  void leave_what_belongs_to_left() {
    const std::vector<std::size_t> chosen{taken_.begin(), taken_.end()};
    Together pairs = choice_.together;
    for (const ReviewItem& item : set_.items) {
      for (const std::string& other : {item.resolution.partner.str(), item.change.link_to.str()}) {
        if (!other.empty()) {
          pairs.emplace_back(item.change.path, other);
        }
      }
    }
    for (bool more = true; more;) {
      more = false;
      for (const auto& [one, other] : pairs) {
        const auto a = find(one);
        const auto b = find(other);
        if (a && b && kept_.count(*a) != kept_.count(*b)) {
          const std::size_t rest = kept_.count(*a) != 0 ? *b : *a;
          more = more || taken_.count(rest) != 0;
          leave_taken(rest);
        }
      }
    }
    leave_emptied_directories(chosen);
  }

  // A directory that the project deleted is not made again for files that stay away.
  void leave_emptied_directories(std::vector<std::size_t> chosen) {
    std::reverse(chosen.begin(), chosen.end());  // children first
    for (const std::size_t i : chosen) {
      const Change& change = set_.items[i].change;
      if (taken_.count(i) == 0 || change.kind != ChangeKind::Added ||
          change.after.kind != EntryKind::Directory) {
        continue;
      }
      const ItemRange children = below(i);
      if (first_in(kept_, children) && !first_in(taken_, children)) {
        leave_taken(i);
      }
    }
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

  void leave_taken(std::size_t i) {
    if (taken_.erase(i) != 0) {
      kept_.insert(i);
      leave(i, SkipReason::Conflict);
    }
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
  // is what shares its content with a git directory: it need not arrive there as it is.
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
    }
  }

  const ReviewSet& set_;
  const ApplyChoice& choice_;
  const std::function<bool(const std::string& path)>& has_git_dir_;
  ChosenChanges chosen_;
  std::set<std::size_t> taken_;
  std::set<std::size_t> kept_;  // left because of a conflict
  std::map<std::string, bool> old_git_dirs_;
  std::unordered_map<std::string_view, std::optional<std::size_t>> links_above_;
};

}  // namespace

bool is_merged(const ReviewItem& item, OnConflict how) {
  if (how == OnConflict::Stop || item.change.kind == ChangeKind::Deleted) {
    return false;
  }
  const Verdict verdict = item.resolution.verdict;
  return verdict == Verdict::Merge ||
         (verdict == Verdict::Conflict && how == OnConflict::Markers && can_have_markers(item));
}

ChosenChanges choose_changes(const ReviewSet& set, const ApplyChoice& choice,
                             const std::function<bool(const std::string& path)>& has_git_dir) {
  return Chooser{set, choice, has_git_dir}.choose();
}

}  // namespace shadow::apply
