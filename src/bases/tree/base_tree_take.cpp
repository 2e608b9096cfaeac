// SPDX-License-Identifier: MIT
#include "bases/tree/base_tree_take.hpp"

#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "bases/tree/early_names.hpp"
#include "bases/tree/git_tree.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/walk.hpp"
#include "session/project/git_dir.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fcntl.h>

namespace shadow::bases {
namespace {

class Taking {
 public:
  Taking(const std::string& project, std::int64_t base_time_ns, store::Blobs& blobs,
         const BaseTreeLimits& limits)
      : root_{sys::open_path(project, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)},
        device_{overlay::look_fd(root_.get()).dev},
        base_time_ns_{base_time_ns},
        blobs_{blobs},
        limits_{limits} {
    if (const auto git = session::real_git_dir(project)) {
      git_.emplace(root_.get(), *git);
    }
  }

  BaseTree take(const std::function<void()>& before_reading) {
    if (git_) {
      // An edit in the session's first moments shall have its base, and a new file none.
      TrackedFiles files = git_->tracked_files(base_time_ns_);
      early_ = std::move(files.clean);
      keep_racy(files.racy);
      // More would take the processor from the first command.
      constexpr std::size_t kMostListed = 2'000;
      std::size_t listed = 0;
      for (const std::string& directory : git_->directories()) {
        if (listed++ < kMostListed) {
          early_names_.list(root_.get(), directory, base_time_ns_);
        }
      }
    }
    if (before_reading) {
      before_reading();
    }
    walk();
    // Files that were there and are gone or changed.
    for (auto& [path, entry] : early_) {
      tree_.entries.push_back(std::move(entry));
    }
    if (root_changed_ && git_) {
      for (std::string& path : git_->missing_files()) {
        tree_.unknown.push_back(std::move(path));
      }
    }
    std::sort(tree_.entries.begin(), tree_.entries.end(),
              [](const TreeEntry& a, const TreeEntry& b) { return a.path < b.path; });
    std::sort(tree_.unknown.begin(), tree_.unknown.end());
    std::sort(tree_.directories.begin(), tree_.directories.end(),
              [](const TreeDirectory& a, const TreeDirectory& b) { return a.path < b.path; });
    return std::move(tree_);
  }

 private:
  // Of a project that was just cloned or committed to there are some.
  void keep_racy(const std::vector<std::string>& paths) {
    constexpr std::size_t kMost = 500;
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 20U;
    for (std::size_t i = 0; i < std::min(paths.size(), kMost); ++i) {
      const sys::SplitPath parts = sys::split_path(paths[i]);
      try {
        const sys::Fd dir = sys::open_beneath(root_.get(), parts.parent, sys::kDirPath);
        const std::string name{parts.name};
        const Entry entry = overlay::look_at(dir.get(), name);
        if (entry.kind != EntryKind::File || entry.ctime_ns > base_time_ns_ ||
            entry.size > kLargest) {
          continue;
        }
        std::string blob = keep_content(dir.get(), name, entry);
        if (!blob.empty()) {
          early_.emplace(paths[i], TreeEntry{paths[i], entry, std::move(blob), {}});
        }
      } catch (const Error&) {
        continue;  // it has gone, or changes just now: the walk sees to it
      }
    }
  }

  void walk() {
    overlay::LevelStack levels{root_.get(), -1};
    enter(levels, {});
    root_changed_ = overlay::look_fd(root_.get()).ctime_ns > base_time_ns_;
    std::string name;
    for (std::uint64_t seen = 0; !levels.empty() && !full_; ++seen) {
      if (seen == limits_.names) {
        ++tree_.left_out;
        full_ = true;
        break;
      }
      std::string path = levels.path();
      try {
        if (levels.take_name(name)) {
          path = sys::join_path(levels.path(), name);
          look(levels, name, path);
        } else {
          levels.pop();
        }
      } catch (const Error&) {
        tree_.unknown.push_back(std::move(path));  // unreadable, or changing just now: no base
      }
    }
    if (full_) {
      tree_.unknown.emplace_back();
    }
  }

  void look(overlay::LevelStack& levels, const std::string& name, const std::string& path) {
    const overlay::LayerDir& side = levels.top().upper;
    if (name == ".git" || !side.dir) {
      return;
    }
    const Entry entry = overlay::look_at(side.dir.get(), name);
    if (entry.kind != EntryKind::Directory) {
      add(side.dir.get(), name, path, entry);
      return;
    }
    if (is_wanted(path, entry)) {
      if (entry.ctime_ns <= base_time_ns_) {
        tree_.directories.push_back({path, entry.mode});
      }
      enter(levels, name);
    } else if (!early_names_.lacked(path)) {
      tree_.unknown.push_back(path);
    }
  }

  // Looked at once more when its names are read: one may have gone before.
  void enter(overlay::LevelStack& levels, const std::string& name) {
    levels.push(name, overlay::LevelStack::In::Upper);
    const overlay::LayerDir& side = levels.top().upper;
    const Entry entry = side.dir ? overlay::look_fd(side.dir.get()) : Entry{};
    const std::string path = levels.path();
    if (entry.exists() && entry.ctime_ns <= base_time_ns_) {
      return;
    }
    if (const auto* names = early_names_.find(path, entry.ino)) {
      for (const std::string& early : *names) {
        std::string gone = sys::join_path(path, early);
        if (early_.count(gone) == 0 && !overlay::look_at(side.dir.get(), early).exists()) {
          tree_.unknown.push_back(std::move(gone));
        }
      }
    } else if (!name.empty()) {
      tree_.unknown.push_back(path);
    }
  }

  // With another directory's contents a directory has a new change time, and the files in it the
  // old ones. Other repositories' files are theirs. Of what git ignores it is enough to know that
  // it was there, of so many files.
  bool is_wanted(const std::string& path, const Entry& entry) {
    constexpr std::size_t kLongest = 4096;
    const bool same = entry.ctime_ns <= base_time_ns_ || early_names_.find(path, entry.ino);
    if (!same || entry.dev != device_ || path.size() > kLongest) {
      return false;
    }
    if (!git_) {
      return true;
    }
    const bool in_ignored = !ignored_.empty() && is_at_or_below(path, ignored_);
    if (in_ignored || git_->ignores(path, true)) {
      ignored_ = in_ignored ? ignored_ : path;
      return bare_names_ < limits_.bare_names;
    }
    return !git_->is_submodule(path) &&
           !overlay::look_beneath(root_.get(), path + "/.git").exists();
  }

  void add(int dir, const std::string& name, const std::string& path, const Entry& entry) {
    const bool has_content = entry.kind == EntryKind::File || entry.kind == EntryKind::Symlink;
    if (!has_content || entry.ctime_ns > base_time_ns_) {
      if (early_.count(path) == 0 && !early_names_.lacked(path)) {
        tree_.unknown.push_back(path);
      }
      return;
    }
    TreeEntry kept{path, entry, {}, {}};
    if (is_ignored(path)) {
      ++bare_names_;
      tree_.entries.push_back(std::move(kept));
      return;
    }
    if (const auto early = early_.find(path); early != early_.end()) {
      if (same_state(early->second.entry, entry)) {
        kept = std::move(early->second);
      }
      early_.erase(early);
    }
    if (entry.kind == EntryKind::File && kept.git_id.empty() && kept.blob.empty()) {
      kept.blob = keep_content(dir, name, entry);
    }
    tree_.entries.push_back(std::move(kept));
  }

  bool is_ignored(const std::string& path) {
    if (!git_) {
      return false;
    }
    return (!ignored_.empty() && is_at_or_below(path, ignored_)) ||
           (git_->find(path) == nullptr && git_->ignores(path, false));
  }

  // Empty when it is not kept.
  std::string keep_content(int dir, const std::string& name, const Entry& entry) {
    const bool many = files_ == limits_.files || bytes_ + entry.size > limits_.bytes;
    if (many || entry.size > limits_.bytes_of_a_file) {
      ++tree_.left_out;
      // No walk through all of a very large project for little.
      full_ = full_ || (many && !git_ && ++bare_names_ >= limits_.bare_names);
      return {};
    }
    const sys::Fd file = sys::open_at(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!same_state(overlay::look_fd(file.get()), entry)) {
      throw StaleError{"a file changed before it was read"};
    }
    std::string blob = blobs_.put(file.get());
    if (!same_state(overlay::look_fd(file.get()), entry)) {
      throw StaleError{"a file changed while it was read"};
    }
    ++files_;
    bytes_ += entry.size;
    // A name with a suffix means another content of the same hash: then there is no base text.
    return hash_from_hex(blob) ? blob : std::string{};
  }

  sys::Fd root_;
  std::uint64_t device_;
  std::int64_t base_time_ns_;
  store::Blobs& blobs_;
  BaseTreeLimits limits_;
  std::optional<GitTree> git_;
  std::map<std::string, TreeEntry> early_;  // that the walk has not come to
  EarlyNames early_names_;
  std::string ignored_;  // the directory that git ignores and the walk is in
  BaseTree tree_;
  std::uint64_t bare_names_ = 0;
  bool root_changed_ = false;
  std::uint64_t files_ = 0;
  std::uint64_t bytes_ = 0;
  bool full_ = false;
};

}  // namespace

BaseTree take_base_tree(const std::string& project, std::int64_t base_time_ns, store::Blobs& blobs,
                        const BaseTreeLimits& limits, const std::function<void()>& before_reading) {
  return Taking{project, base_time_ns, blobs, limits}.take(before_reading);
}

}  // namespace shadow::bases
