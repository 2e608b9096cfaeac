// SPDX-License-Identifier: MIT
#include "bases/tree/base_tree_take.hpp"

#include "shadow/error.hpp"
#include "shadow/ignore.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "git/index/git_index.hpp"
#include "git/patterns/git_filters.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/walk.hpp"
#include "session/project/git_dir.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::bases {
namespace {

using git::IndexEntry;
using git::IndexFile;

constexpr std::uint32_t kTypeMask = 0170000;
constexpr std::uint32_t kRegular = 0100000;
constexpr std::uint32_t kGitLink = 0160000;

// True if the file is the one that git saw when it wrote the entry into the index. A file that is
// as young as the index may have been written once more in the same moment.
bool is_clean(const Entry& file, const IndexEntry& entry, std::int64_t index_written_ns) {
  const bool executable = (file.mode & S_IXUSR) != 0;
  return file.kind == EntryKind::File && (entry.mode & kTypeMask) == kRegular &&
         ((entry.mode & S_IXUSR) != 0) == executable && entry.stage == 0 && !entry.unwatched &&
         entry.mtime_ns == file.mtime_ns && entry.ctime_ns == file.ctime_ns &&
         entry.ino == static_cast<std::uint32_t>(file.ino) &&
         entry.size == static_cast<std::uint32_t>(file.size) && file.mtime_ns < index_written_ns &&
         file.ctime_ns < index_written_ns;
}

// A work tree as git knows it.
class GitTree {
 public:
  GitTree(int root, const session::RealGitDir& git)
      : root_{root}, index_{git::read_index_file(git.dir + "/index").value_or(IndexFile{})} {
    const auto tracked = [this] {
      std::vector<std::string> paths;
      paths.reserve(index_.entries.size());
      for (const IndexEntry& entry : index_.entries) {
        paths.push_back(entry.path);
      }
      return paths;
    };
    const std::string home = sys::environment("HOME").value_or("");
    rules_.emplace(
        [this](const std::string& path) { return text_at(path); },
        std::vector<std::string>{
            user_excludes(home),
            sys::read_file_at(AT_FDCWD, git.common + "/info/exclude", IgnoreRules::kMostBytes)
                .value_or("")},
        tracked);
    git::add_outside_rules(git.dir, git.common, filters_);
  }

  // The rules read through it.
  GitTree(const GitTree&) = delete;
  GitTree(GitTree&&) = delete;
  GitTree& operator=(const GitTree&) = delete;
  GitTree& operator=(GitTree&&) = delete;
  ~GitTree() = default;

  [[nodiscard]] const IndexEntry* find(std::string_view path) const {
    const auto found = std::lower_bound(
        index_.entries.begin(), index_.entries.end(), path,
        [](const IndexEntry& entry, std::string_view p) { return entry.path < p; });
    return found != index_.entries.end() && found->path == path ? &*found : nullptr;
  }

  // The tracked files that git knows to be unchanged, by one look at each: no file except
  // .gitattributes is read.
  [[nodiscard]] std::map<std::string, TreeEntry> clean_files(std::int64_t not_after_ns) {
    std::map<std::string, TreeEntry> clean;
    enter({});
    std::string entered;
    for (const IndexEntry& entry : index_.entries) {
      std::string directory{sys::split_path(entry.path).parent};
      if (directory != entered) {
        enter_below(entered, directory);
        entered = std::move(directory);
      }
      try {
        const Entry file = overlay::look_beneath(root_, entry.path);
        if (file.ctime_ns <= not_after_ns && is_clean(file, entry, index_.written_ns)) {
          clean.emplace(entry.path, TreeEntry{entry.path, file, {}, object_of(entry.path, entry)});
        }
      } catch (const Error&) {
        continue;  // unreadable: no base
      }
    }
    return clean;
  }

  // Tracked files that are not there.
  [[nodiscard]] std::vector<std::string> missing_files() const {
    std::vector<std::string> missing;
    for (const IndexEntry& entry : index_.entries) {
      if ((entry.mode & kTypeMask) != kGitLink &&
          !overlay::look_beneath(root_, entry.path).exists()) {
        missing.push_back(entry.path);
      }
    }
    return missing;
  }

  [[nodiscard]] bool ignores(const std::string& path, bool directory) {
    return rules_->ignored(path, directory);
  }

 private:
  // Before what is in the directory.
  void enter(const std::string& directory) {
    filters_.leave_for(directory);
    const std::string path = sys::join_path(directory, ".gitattributes");
    const Entry entry = overlay::look_beneath(root_, path);
    const IndexEntry* known = find(path);
    if (!entry.exists() && known == nullptr) {
      return;
    }
    // An edited one does not say how the files were made; a missing one is read from the index.
    const auto text = known != nullptr && is_clean(entry, *known, index_.written_ns) ? text_at(path)
                                                                                     : std::nullopt;
    if (text) {
      filters_.add(directory, *text);
    } else {
      filters_.add_unknown(directory);
    }
  }

  // The object with the clean file's very bytes, in hexadecimal digits; "" when they may be others.
  [[nodiscard]] std::string object_of(const std::string& path, const IndexEntry& entry) {
    filters_.leave_for(path);
    return filters_.may_convert(path) ? std::string{} : hex_of(entry.id);
  }

  // All directories on the way to `directory` that `from` is not in.
  void enter_below(const std::string& from, const std::string& directory) {
    for (std::size_t slash = directory.find('/'); slash != std::string::npos;
         slash = directory.find('/', slash + 1)) {
      const std::string above = directory.substr(0, slash);
      if (!is_at_or_below(from, above)) {
        enter(above);
      }
    }
    if (!directory.empty() && !is_at_or_below(from, directory)) {
      enter(directory);
    }
  }

  [[nodiscard]] std::optional<std::string> text_at(const std::string& path) const try {
    const sys::Fd file = sys::try_open_beneath(root_, path, O_RDONLY | O_NONBLOCK);
    if (!file || overlay::look_fd(file.get()).kind != EntryKind::File) {
      return std::nullopt;
    }
    return sys::read_all(file.get(), IgnoreRules::kMostBytes);
  } catch (const Error&) {
    return std::nullopt;
  }

  int root_;
  IndexFile index_;
  std::optional<IgnoreRules> rules_;
  git::FilterRules filters_;
};

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
      // An edit in the session's first moments shall have its base.
      early_ = git_->clean_files(base_time_ns_);
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
    return std::move(tree_);
  }

 private:
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
      enter(levels, name);
    } else {
      tree_.unknown.push_back(path);
    }
  }

  // Looked at once more when its names are read: one may have gone before.
  void enter(overlay::LevelStack& levels, const std::string& name) {
    levels.push(name, overlay::LevelStack::In::Upper);
    const overlay::LayerDir& side = levels.top().upper;
    if (!name.empty() && (!side.dir || overlay::look_fd(side.dir.get()).ctime_ns > base_time_ns_)) {
      tree_.unknown.push_back(levels.path());
    }
  }

  // With another directory's contents a directory has a new change time, and the files in it the
  // old ones. Other repositories' files are theirs. Of what git ignores it is enough to know that
  // it was there, of so many files.
  bool is_wanted(const std::string& path, const Entry& entry) {
    constexpr std::size_t kLongest = 4096;
    if (entry.ctime_ns > base_time_ns_ || entry.dev != device_ || path.size() > kLongest) {
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
    const IndexEntry* known = git_->find(path);
    const bool other = (known != nullptr && (known->mode & kTypeMask) == kGitLink) ||
                       overlay::look_beneath(root_.get(), path + "/.git").exists();
    return !other;
  }

  void add(int dir, const std::string& name, const std::string& path, const Entry& entry) {
    const bool has_content = entry.kind == EntryKind::File || entry.kind == EntryKind::Symlink;
    if (!has_content || entry.ctime_ns > base_time_ns_) {
      if (early_.count(path) == 0) {
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
      kept.git_id = same_state(early->second.entry, entry) ? early->second.git_id : std::string{};
      early_.erase(early);
    }
    if (entry.kind == EntryKind::File && kept.git_id.empty()) {
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
  std::string ignored_;                     // the directory that git ignores and the walk is in
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
