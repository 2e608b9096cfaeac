// SPDX-License-Identifier: MIT
#include "sys/files/dir.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/quiet_open.hpp"

#include <algorithm>
#include <array>
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

// A directory on the way down to where the removal is: which one it is, what it is called in the
// one above, and what is still in it.
struct Frame {
  dev_t dev = 0;
  ino_t ino = 0;
  std::string name;
  std::vector<std::string> left;
};

// False when it is a directory with something in it.
bool remove_at_once(int dirfd, const std::string& name) {
  if (::unlinkat(dirfd, name.c_str(), 0) == 0 || errno == ENOENT) {
    return true;
  }
  // EISDIR is Linux' word for a directory, EPERM that of POSIX; but an immutable file gives it too.
  const int why = errno;
  if (why != EISDIR && why != EPERM) {
    throw_errno("remove " + quoted(name));
  }
  if (::unlinkat(dirfd, name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT) {
    return true;
  }
  if (errno != ENOTEMPTY && errno != EEXIST) {
    errno = errno == ENOTDIR ? why : errno;
    throw_errno("remove " + quoted(name));
  }
  return false;
}

// Opens a directory that is to be emptied; its owner may do so whatever its mode.
Fd open_to_empty(int dirfd, const std::string& name) {
  const Fd node = try_open_at(dirfd, name, kDirPath);
  struct stat st {};
  if (node && ::fstat(node.get(), &st) == 0 && (st.st_mode & S_IRWXU) != S_IRWXU) {
    // fchmod refuses O_PATH descriptors; through /proc it reaches exactly this inode.
    (void)::chmod(proc_path(node.get()).c_str(), S_IRWXU);
  }
  Fd dir = node ? try_open_at(node.get(), ".", O_RDONLY | O_DIRECTORY) : Fd{};
  if (!dir) {
    throw_errno("remove " + quoted(name));
  }
  return dir;
}

Frame frame_of(const Fd& dir, std::string name) {
  struct stat st {};
  if (::fstat(dir.get(), &st) != 0) {
    throw_errno("remove " + quoted(name));
  }
  Frame frame{st.st_dev, st.st_ino, std::move(name), {}};
  for (DirEntry& entry : list_dir(dir.get())) {
    frame.left.push_back(std::move(entry.name));
  }
  return frame;
}

// ".." is believed only when it is the directory that the way down came through.
Fd open_above(const Fd& dir, const Frame& above) {
  Fd up = open_at(dir.get(), "..", O_RDONLY | O_DIRECTORY);
  struct stat st {};
  if (::fstat(up.get(), &st) != 0 || st.st_dev != above.dev || st.st_ino != above.ino) {
    throw Error{"cannot remove " + quoted(above.name) + ": something in it was moved meanwhile"};
  }
  return up;
}

// Without recursion and with two descriptors, so that no depth of the tree can stop it.
void empty_directory(Fd at) {
  std::vector<Frame> way;
  way.push_back(frame_of(at, {}));
  for (;;) {
    if (!way.back().left.empty()) {
      std::string name = std::move(way.back().left.back());
      way.back().left.pop_back();
      if (!remove_at_once(at.get(), name)) {
        Fd below = open_to_empty(at.get(), name);
        way.push_back(frame_of(below, std::move(name)));
        at = std::move(below);
      }
      continue;
    }
    const std::string done = std::move(way.back().name);
    way.pop_back();
    if (way.empty()) {
      return;
    }
    at = open_above(at, way.back());
    if (!remove_at_once(at.get(), done)) {
      errno = ENOTEMPTY;  // somebody puts things in while they are taken out
      throw_errno("remove " + quoted(done));
    }
  }
}

}  // namespace

std::vector<DirEntry> list_dir(int dirfd) {
  // A descriptor of its own: fdopendir takes it over, and its offset is not shared with `dirfd`.
  Fd own = try_open_quietly_at(dirfd, ".", O_RDONLY | O_DIRECTORY);
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

bool is_real_directory(const std::string& path) {
  struct stat st {};
  return ::lstat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode);
}

bool is_empty_dir(int dirfd) {
  const Fd own = try_open_at(dirfd, ".", O_RDONLY | O_DIRECTORY);
  if (!own) {
    throw_errno("list a directory");
  }
  // Room for a few names (each has at most 255 bytes): the first that is another than "." and ".."
  // says enough.
  alignas(dirent64) std::array<char, 1024> buffer;
  for (;;) {
    const ssize_t got = ::getdents64(own.get(), buffer.data(), buffer.size());
    if (got < 0) {
      throw_errno("list a directory");
    }
    if (got == 0) {
      return true;
    }
    for (ssize_t at = 0; at < got;) {
      const auto* entry = reinterpret_cast<const dirent64*>(buffer.data() + at);
      const std::string_view name{static_cast<const char*>(entry->d_name)};
      if (name != "." && name != "..") {
        return false;
      }
      at += entry->d_reclen;
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
  if (remove_at_once(dirfd, name)) {
    return;
  }
  // A process that still has it open may make a name in it while it is emptied, such as a lock.
  constexpr int kTries = 3;
  for (int tried = 0; tried < kTries; ++tried) {
    empty_directory(open_to_empty(dirfd, name));
    if (remove_at_once(dirfd, name)) {
      return;
    }
  }
  errno = ENOTEMPTY;
  throw_errno("remove " + quoted(name));
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
