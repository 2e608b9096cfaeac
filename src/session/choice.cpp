// SPDX-License-Identifier: MIT
#include "session/choice.hpp"

#include "base/text.hpp"
#include "session/git_dir.hpp"
#include "sys/beneath.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace shadow {

const char* to_word(LeftBecause because) {
  switch (because) {
    case LeftBecause::Ignored:
      return "ignored";
    case LeftBecause::Sensitive:
      return "sensitive";
    case LeftBecause::GitDir:
      return "git-dir";
    case LeftBecause::NotEmpty:
      return "not-empty";
    case LeftBecause::Device:
      break;
  }
  return "device";
}

namespace {

bool covered(const std::string& path, const std::vector<std::string>& above) {
  return std::any_of(above.begin(), above.end(), [&path](const std::string& directory) {
    return is_at_or_below(path, directory);
  });
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
    add_needed_directories();
    leave_full_directories();
    for (const std::size_t i : taken_) {
      const ReviewItem& item = set_.items[i];
      chosen_.taken.push_back(item);
      drop_untaken_link(chosen_.taken.back().change);
      if (item.drift != Drift::None) {
        chosen_.conflicts.push_back(item);
      }
    }
    return std::move(chosen_);
  }

 private:
  void sort_out(std::size_t i) {
    const ReviewItem& item = set_.items[i];
    if (item.change.after.kind == EntryKind::Device) {
      leave(i, LeftBecause::Device);
    } else if (item.standing == Standing::GitDir) {
      sort_out_git(i);
    } else if (item.standing == Standing::Ignored && !choice_.ignored) {
      leave(i, LeftBecause::Ignored);
    } else if (item.sensitive.empty() || choice_.allow_sensitive || allowed_by_path(item)) {
      taken_.insert(i);
    } else if (choice_.skip_sensitive) {
      leave(i, LeftBecause::Sensitive);
    } else {
      chosen_.blocked.push_back(item);
    }
  }

  void sort_out_git(std::size_t i) {
    const ReviewItem& item = set_.items[i];
    const std::string dir = git_dir_of(item.change.path).value_or(item.change.path);
    const bool fresh = !is_old_git_dir(dir) && belongs_to_new_git_dir(item.change);
    if (fresh || (!item.sensitive.empty() && allowed_by_path(item))) {
      taken_.insert(i);
    } else {
      leave(i, LeftBecause::GitDir);
    }
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

  void leave(std::size_t i, LeftBecause because) {
    chosen_.left.push_back({set_.items[i], because});
  }

  std::optional<std::size_t> find(std::string_view path) const {
    const auto found = std::lower_bound(set_.items.begin(), set_.items.end(), path,
                                        [](const ReviewItem& item, std::string_view wanted) {
                                          return std::string_view{item.change.path} < wanted;
                                        });
    if (found == set_.items.end() || found->change.path != path) {
      return std::nullopt;
    }
    return static_cast<std::size_t>(found - set_.items.begin());
  }

  // A new file in a new directory brings the directory along, whether or not it was selected.
  void add_needed_directories() {
    const std::vector<std::size_t> chosen{taken_.begin(), taken_.end()};
    for (const std::size_t i : chosen) {
      if (!set_.items[i].change.after.exists()) {
        continue;
      }
      std::string_view above = sys::split_path(set_.items[i].change.path).parent;
      for (; !above.empty(); above = sys::split_path(above).parent) {
        const auto at = find(above);
        if (at && set_.items[*at].change.kind != ChangeKind::Modified) {
          taken_.insert(*at);
        }
      }
    }
  }

  // A directory in which something stays cannot go. Its children come after it in the order.
  void leave_full_directories() {
    const std::vector<std::size_t> chosen{taken_.rbegin(), taken_.rend()};
    for (const std::size_t i : chosen) {
      const ReviewItem& item = set_.items[i];
      if (!was_directory(item)) {
        continue;
      }
      bool full = false;
      for (std::size_t child = i + 1;
           child < set_.items.size() &&
           is_at_or_below(set_.items[child].change.path, item.change.path);
           ++child) {
        full = full || taken_.count(child) == 0;
      }
      if (full) {
        taken_.erase(i);
        leave(i, LeftBecause::NotEmpty);
      }
    }
  }

  // A hard link to a change that stays would be one to the old content: it is written as a file.
  void drop_untaken_link(Change& change) const {
    if (change.link_to.empty()) {
      return;
    }
    const auto target = find(change.link_to);
    if (target && taken_.count(*target) == 0) {
      change.link_to.clear();
    }
  }

  const ReviewSet& set_;
  const ApplyChoice& choice_;
  const std::function<bool(const std::string& path)>& has_git_dir_;
  ChosenChanges chosen_;
  std::set<std::size_t> taken_;
  std::map<std::string, bool> old_git_dirs_;
};

}  // namespace

ChosenChanges choose_changes(const ReviewSet& set, const ApplyChoice& choice,
                             const std::function<bool(const std::string& path)>& has_git_dir) {
  return Chooser{set, choice, has_git_dir}.choose();
}

}  // namespace shadow
