// SPDX-License-Identifier: MIT
#include "bases/tree/git_tree.hpp"

#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "git/index/git_files.hpp"
#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::bases {
namespace {

using git::IndexEntry;
using git::IndexFile;

constexpr std::uint32_t kTypeMask = 0170000;
constexpr std::uint32_t kRegular = 0100000;
constexpr std::uint32_t kGitLink = 0160000;

// True if the file has what git noted of it when it wrote the entry into the index.
bool is_as_noted(const Entry& file, const IndexEntry& entry) {
  const bool executable = (file.mode & S_IXUSR) != 0;
  return file.kind == EntryKind::File && (entry.mode & kTypeMask) == kRegular &&
         ((entry.mode & S_IXUSR) != 0) == executable && entry.stage == 0 && !entry.unwatched &&
         entry.mtime_ns == file.mtime_ns && entry.ctime_ns == file.ctime_ns &&
         entry.ino == static_cast<std::uint32_t>(file.ino) &&
         entry.size == static_cast<std::uint32_t>(file.size);
}

// A file that is as young as the index may have been written once more in the same moment.
bool is_racy(const Entry& file, std::int64_t index_written_ns) {
  return file.mtime_ns >= index_written_ns || file.ctime_ns >= index_written_ns;
}

bool is_clean(const Entry& file, const IndexEntry& entry, std::int64_t index_written_ns) {
  return is_as_noted(file, entry) && !is_racy(file, index_written_ns);
}

}  // namespace

GitTree::GitTree(int root, const session::RealGitDir& git)
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
  rules_.emplace([this](const std::string& path) { return text_at(path); },
                 std::vector<std::string>{git::user_excludes(home),
                                          sys::read_file_at(AT_FDCWD, git.common + "/info/exclude",
                                                            git::IgnoreRules::kMostBytes)
                                              .value_or("")},
                 tracked);
  git::add_outside_rules(git.dir, git.common, filters_);
}

const IndexEntry* GitTree::find(std::string_view path) const {
  const auto found =
      std::lower_bound(index_.entries.begin(), index_.entries.end(), path,
                       [](const IndexEntry& entry, std::string_view p) { return entry.path < p; });
  return found != index_.entries.end() && found->path == path ? &*found : nullptr;
}

bool GitTree::is_submodule(std::string_view path) const {
  const IndexEntry* known = find(path);
  return known != nullptr && (known->mode & kTypeMask) == kGitLink;
}

std::set<std::string> GitTree::directories() const {
  std::set<std::string> directories = {std::string{}};
  std::string_view last;
  for (const IndexEntry& entry : index_.entries) {
    std::string_view above = sys::split_path(entry.path).parent;
    if (above == last) {
      continue;
    }
    last = above;
    for (; !above.empty(); above = sys::split_path(above).parent) {
      directories.emplace(above);
    }
  }
  return directories;
}

TrackedFiles GitTree::tracked_files(std::int64_t not_after_ns) {
  TrackedFiles files;
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
      if (file.ctime_ns > not_after_ns || !is_as_noted(file, entry)) {
        continue;
      }
      if (is_racy(file, index_.written_ns)) {
        files.racy.push_back(entry.path);
      } else {
        files.clean.emplace(entry.path,
                            TreeEntry{entry.path, file, {}, object_of(entry.path, entry)});
      }
    } catch (const Error&) {
      continue;  // unreadable: no base
    }
  }
  return files;
}

std::vector<std::string> GitTree::missing_files() const {
  std::vector<std::string> missing;
  for (const IndexEntry& entry : index_.entries) {
    if ((entry.mode & kTypeMask) != kGitLink &&
        !overlay::look_beneath(root_, entry.path).exists()) {
      missing.push_back(entry.path);
    }
  }
  return missing;
}

// Before what is in the directory.
void GitTree::enter(const std::string& directory) {
  filters_.leave_for(directory);
  const std::string path = sys::join_path(directory, ".gitattributes");
  const Entry entry = overlay::look_beneath(root_, path);
  const IndexEntry* known = find(path);
  if (!entry.exists() && known == nullptr) {
    return;
  }
  // An edited one does not say how the files were made; a missing one is read from the index.
  const auto text =
      known != nullptr && is_clean(entry, *known, index_.written_ns) ? text_at(path) : std::nullopt;
  if (text) {
    filters_.add(directory, *text);
  } else {
    filters_.add_unknown(directory);
  }
}

// The object with the clean file's very bytes, in hexadecimal digits; "" when they may be others.
std::string GitTree::object_of(const std::string& path, const IndexEntry& entry) {
  filters_.leave_for(path);
  return filters_.may_convert(path) ? std::string{} : hex_of(entry.id);
}

// All directories on the way to `directory` that `from` is not in.
void GitTree::enter_below(const std::string& from, const std::string& directory) {
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

std::optional<std::string> GitTree::text_at(const std::string& path) const try {
  const sys::Fd file = sys::try_open_beneath(root_, path, O_RDONLY | O_NONBLOCK);
  if (!file || overlay::look_fd(file.get()).kind != EntryKind::File) {
    return std::nullopt;
  }
  return sys::read_all(file.get(), git::IgnoreRules::kMostBytes);
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace shadow::bases
