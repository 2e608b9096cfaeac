// SPDX-License-Identifier: MIT
#include "promote/repository/git_lock.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "promote/repository/git_owner.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"

#include <cerrno>
#include <cstdint>
#include <map>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::promote {
namespace {

constexpr const char* kBooks = "git-locks";
constexpr mode_t kLockMode = 0666;  // less the umask, as git's

std::string book_name(const std::string& project) {
  return to_hex(hash_bytes(project));
}

void sync_file(int fd, const char* what) {
  if (::fsync(fd) != 0) {
    throw_errno(what);
  }
}

// True if a lock is a link to our own file.
bool is_ours(const Entry& lock, const Entry& own) {
  return own.kind == EntryKind::File && lock.kind == EntryKind::File && lock.ino == own.ino &&
         lock.dev == own.dev;
}

void remove_beneath(int dir, const std::string& path) {
  const sys::SplitPath parts = sys::split_path(path);
  const sys::Fd parent = sys::try_open_beneath(dir, parts.parent, O_PATH | O_DIRECTORY);
  if (parent) {
    ::unlinkat(parent.get(), std::string{parts.name}.c_str(), 0);
  }
}

void remove_temporary_objects(int git_dir) {
  const sys::Fd objects = sys::try_open_beneath(git_dir, "objects", O_RDONLY | O_DIRECTORY);
  if (!objects) {
    return;
  }
  for (const sys::DirEntry& entry : sys::list_dir(objects.get())) {
    if (entry.name.starts_with(kTemporaryObject)) {
      ::unlinkat(objects.get(), entry.name.c_str(), 0);
    }
  }
}

}  // namespace

LockBook::LockBook(std::string state, std::string project)
    : state_{std::move(state)}, project_{std::move(project)} {
}

void LockBook::note(const std::string& git_dir, const std::string& lock, const std::string& own) {
  text_ += git_dir + '\0' + lock + '\0' + own + '\0';
  const sys::Fd state = sys::open_path(state_, O_RDONLY | O_DIRECTORY);
  (void)sys::make_dirs(state.get(), kBooks, S_IRWXU);
  const sys::Fd books = sys::open_at(state.get(), kBooks, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  sys::replace_file_at(books.get(), book_name(project_), text_, S_IRUSR | S_IWUSR);
  sync_file(books.get(), "note a lock");
}

void LockBook::note_objects(const std::string& git_dir) {
  note(git_dir, "", "");
}

LockBook::~LockBook() {
  if (!text_.empty()) {
    ::unlink((state_ + "/" + kBooks + "/" + book_name(project_)).c_str());
  }
}

bool LockBook::is_open(const std::string& state, const std::string& project) {
  const std::string path = state + "/" + kBooks + "/" + book_name(project);
  return ::faccessat(AT_FDCWD, path.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

void LockBook::clean_up(const std::string& state, const std::string& project) {
  const std::string path = state + "/" + kBooks + "/" + book_name(project);
  const auto text = sys::read_file_at(AT_FDCWD, path);
  if (!text) {
    return;
  }
  const std::vector<std::string> words = split(*text, '\0');
  for (std::size_t i = 0; i + 2 < words.size(); i += 3) {
    const sys::Fd dir = sys::try_open_at(AT_FDCWD, words[i], O_RDONLY | O_DIRECTORY);
    if (!dir) {
      continue;
    }
    if (words[i + 2].empty()) {
      remove_temporary_objects(dir.get());
      continue;
    }
    const Entry own = overlay::look_beneath(dir.get(), words[i + 2]);
    if (is_ours(overlay::look_beneath(dir.get(), words[i + 1]), own)) {
      remove_beneath(dir.get(), words[i + 1]);
    }
    remove_beneath(dir.get(), words[i + 2]);
  }
  ::unlink(path.c_str());
}

std::optional<GitLock> GitLock::take(int dir, const std::string& git_dir, const std::string& path,
                                     LockBook& book) {
  const sys::SplitPath parts = sys::split_path(path);
  GitLock lock;
  lock.dir_ = dir;
  lock.name_ = std::string{parts.name};
  lock.parent_ = sys::open_beneath(dir, parts.parent, O_RDONLY | O_DIRECTORY);
  lock.own_ = "shadow-" + std::to_string(::getpid()) + "-" + std::to_string(sys::now_ns()) + ".tmp";
  const std::string name = lock.name_ + ".lock";
  book.note(git_dir, path + ".lock", lock.own_);
  lock.file_ = sys::open_at(dir, lock.own_, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, kLockMode);
  SHADOW_FAIL_POINT("git-lock-made");
  if (::linkat(dir, lock.own_.c_str(), lock.parent_.get(), name.c_str(), 0) == 0) {
    lock.held_ = true;
    SHADOW_FAIL_POINT("git-locked");
    return lock;
  }
  const int why = errno;
  ::unlinkat(dir, lock.own_.c_str(), 0);
  lock.own_.clear();
  if (why != EPERM && why != EOPNOTSUPP && why != EMLINK && why != EXDEV) {
    if (why == EEXIST) {
      return std::nullopt;
    }
    throw SysError{why, "lock " + quoted(path)};
  }
  lock.file_ =
      sys::try_open_at(lock.parent_.get(), name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, kLockMode);
  if (!lock.file_ && errno == EEXIST) {
    return std::nullopt;
  }
  if (!lock.file_) {
    throw_errno("lock " + quoted(path));
  }
  lock.held_ = true;
  return lock;
}

std::optional<GitLock> GitLock::take_within(std::chrono::milliseconds patience, int dir,
                                            const std::string& git_dir, const std::string& path,
                                            LockBook& book) {
  constexpr int kTries = 40;  // each is noted in the book, on disk
  auto lock = take(dir, git_dir, path, book);
  for (int tries = 1; !lock && tries < kTries; ++tries) {
    std::this_thread::sleep_for(std::chrono::microseconds{patience} / kTries);
    lock = take(dir, git_dir, path, book);
  }
  return lock;
}

void GitLock::remove_left(int dir, const std::vector<std::string>& paths) {
  std::map<std::string, Entry> left;
  for (const sys::DirEntry& entry : sys::list_dir(dir)) {
    if (entry.name.starts_with("shadow-") && entry.name.ends_with(".tmp")) {
      left.emplace(entry.name, overlay::look_at(dir, entry.name));
    }
  }
  std::set<std::pair<std::uint64_t, std::uint64_t>> files;
  for (const auto& [name, file] : left) {
    files.emplace(file.dev, file.ino);
  }
  for (const std::string& path : left.empty() ? std::vector<std::string>{} : paths) {
    const Entry lock = overlay::look_beneath(dir, path + ".lock");
    if (lock.kind == EntryKind::File && files.count({lock.dev, lock.ino}) != 0) {
      remove_beneath(dir, path + ".lock");
    }
  }
  for (const auto& [name, file] : left) {
    remove_beneath(dir, name);
  }
}

GitLock::GitLock(GitLock&& other) noexcept
    : dir_{other.dir_},
      parent_{std::move(other.parent_)},
      file_{std::move(other.file_)},
      name_{std::move(other.name_)},
      own_{std::exchange(other.own_, {})},
      held_{std::exchange(other.held_, false)} {
}

GitLock& GitLock::operator=(GitLock&& other) noexcept {
  std::swap(dir_, other.dir_);
  std::swap(parent_, other.parent_);
  std::swap(file_, other.file_);
  std::swap(name_, other.name_);
  std::swap(own_, other.own_);
  std::swap(held_, other.held_);
  return *this;
}

GitLock::~GitLock() {
  let_go();
}

void GitLock::let_go() noexcept {
  if (std::exchange(held_, false)) {
    ::unlinkat(parent_.get(), (name_ + ".lock").c_str(), 0);
  }
  if (!own_.empty()) {
    ::unlinkat(dir_, own_.c_str(), 0);
    own_.clear();
  }
}

void GitLock::write(std::string_view bytes, mode_t mode) {
  sys::write_all(file_.get(), bytes);
  if (mode != 0 && ::fchmod(file_.get(), mode) != 0) {
    throw_errno("write " + quoted(name_));
  }
  own_as_replaced(parent_.get(), name_, file_.get());
  sync_file(file_.get(), "write a file of the git directory");
}

void GitLock::commit() {
  const std::string lock = name_ + ".lock";
  if (::renameat(parent_.get(), lock.c_str(), parent_.get(), name_.c_str()) != 0) {
    throw_errno("write " + quoted(name_));
  }
  held_ = false;
  SHADOW_FAIL_POINT("git-renamed");
  let_go();
  sync_file(parent_.get(), "write a file of the git directory");
}

void GitLock::commit_removal() {
  if (::unlinkat(parent_.get(), name_.c_str(), 0) != 0 && errno != ENOENT) {
    throw_errno("remove " + quoted(name_));
  }
  sync_file(parent_.get(), "remove a file of the git directory");
  let_go();
}

}  // namespace shadow::promote
