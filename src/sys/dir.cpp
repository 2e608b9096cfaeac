// SPDX-License-Identifier: MIT
#include "sys/dir.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/beneath.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::sys {
namespace {

struct CloseDir {
  void operator()(DIR* dir) const noexcept { ::closedir(dir); }
};

void remove_entries(Fd dir);

void remove_one(int dirfd, const std::string& name) {
  if (::unlinkat(dirfd, name.c_str(), 0) == 0 || errno == ENOENT) {
    return;
  }
  // EPERM and EISDIR both mean a directory here (unlink(2)); anything else is a real failure.
  if (errno != EISDIR && errno != EPERM) {
    throw_errno("remove " + quoted(name));
  }
  Fd dir = try_open_at(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!dir && errno == EACCES) {
    if (const Fd node = try_open_at(dirfd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW)) {
      // fchmod refuses O_PATH descriptors; through /proc it reaches exactly this inode.
      ::chmod(proc_path(node.get()).c_str(), S_IRWXU);
    }
    dir = try_open_at(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  }
  if (!dir) {
    throw_errno("remove " + quoted(name));
  }
  remove_entries(std::move(dir));
  if (::unlinkat(dirfd, name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT) {
    throw_errno("remove " + quoted(name));
  }
}

void remove_entries(Fd dir) {
  for (const DirEntry& entry : list_dir(dir.get())) {
    if (::faccessat(dir.get(), ".", W_OK | X_OK, AT_EACCESS) != 0 && errno == EACCES) {
      ::fchmod(dir.get(), S_IRWXU);
    }
    remove_one(dir.get(), entry.name);
  }
}

}  // namespace

std::vector<DirEntry> list_dir(int dirfd) {
  // A descriptor of its own: fdopendir takes it over, and its offset is not shared with `dirfd`.
  Fd own = try_open_at(dirfd, ".", O_RDONLY | O_DIRECTORY);
  if (!own) {
    throw_errno("list a directory");
  }
  const std::unique_ptr<DIR, CloseDir> dir{::fdopendir(own.get())};
  if (!dir) {
    throw_errno("list a directory");
  }
  (void)own.release();
  std::vector<DirEntry> entries;
  for (;;) {
    errno = 0;
    const dirent* next = ::readdir(dir.get());  // NOLINT(concurrency-mt-unsafe): DIR is ours alone
    if (next == nullptr) {
      if (errno != 0) {
        throw_errno("list a directory");
      }
      return entries;
    }
    const std::string_view name{static_cast<const char*>(next->d_name)};
    if (name != "." && name != "..") {
      entries.push_back({std::string{name}, next->d_type});
    }
  }
}

std::vector<DirEntry> list_dir_sorted(int dirfd) {
  std::vector<DirEntry> entries = list_dir(dirfd);
  std::sort(entries.begin(), entries.end(),
            [](const DirEntry& a, const DirEntry& b) { return a.name < b.name; });
  return entries;
}

void remove_tree(int dirfd, const std::string& name) {
  remove_one(dirfd, name);
}

Fd make_dirs(int dirfd, std::string_view path, mode_t mode) {
  Fd at = open_beneath(dirfd, {}, O_PATH | O_DIRECTORY);
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string part{path.substr(0, slash)};
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (part.empty()) {
      continue;
    }
    if (::mkdirat(at.get(), part.c_str(), mode) != 0 && errno != EEXIST) {
      throw_errno("make directory " + quoted(part));
    }
    at = open_beneath(at.get(), part, O_PATH | O_DIRECTORY);
  }
  return at;
}

}  // namespace shadow::sys
