// SPDX-License-Identifier: MIT
#include "run/durability.hpp"

#include "shadow/error.hpp"

#include "sandbox/mounts/own_layer.hpp"
#include "sandbox/setup/plan.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/lock.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <optional>

#include <fcntl.h>
#include <unistd.h>

namespace shadow::run {
namespace {

// A symlink whose target is the boot's id: made at once, whole or not at all, and metadata, which
// journalling filesystems keep in order.
constexpr const char* kMark = "unsynced";

std::optional<std::string> read_mark(const session::SessionDir& session) {
  std::array<char, 64> boot{};
  const ssize_t length = ::readlinkat(session.fd(), kMark, boot.data(), boot.size());
  if (length >= 0) {
    return std::string{boot.data(), static_cast<std::size_t>(length)};
  }
  if (errno != ENOENT) {
    throw_errno("read 'unsynced'");
  }
  return std::nullopt;
}

void make_mark(const session::SessionDir& session, const std::string& boot, const char* name) {
  if (::symlinkat(boot.c_str(), session.fd(), name) != 0) {
    throw_errno("make 'unsynced'");
  }
}

// Now, and not when the next run waits for its mounts: the kernel marks the work directory of a
// `volatile` mount as not to be used again, and would empty it by itself too.
void clear_work(const session::SessionDir& session) {
  for (const char* layer :
       {"project", sandbox::kHomeLayer, sandbox::kReadOnlyHome, sandbox::kPrivateHome.name,
        sandbox::kAllowedHome.name, sandbox::kTemporaryLayer.name, "gitdir"}) {
    const std::string path = std::string{layer} + "/work";
    const sys::Fd work = sys::try_open_at(session.fd(), path, sys::kDirPath);
    if (work) {
      sys::remove_tree(work.get(), "work");
    }
  }
}

void clear_if_idle(const session::SessionDir& session) {
  const sys::FileLock lock = session.lock();
  if (session.try_lock_idle()) {
    ::unlinkat(session.fd(), kMark, 0);
    clear_work(session);
  }
}

}  // namespace

bool mark_unsynced(const session::SessionDir& session) {
  const std::string now = sys::boot_id();
  const auto mark = read_mark(session);
  if (mark && *mark == now) {
    return false;
  }
  if (!mark) {
    make_mark(session, now, kMark);
    return false;
  }
  constexpr const char* kNew = "unsynced.new";
  ::unlinkat(session.fd(), kNew, 0);
  make_mark(session, now, kNew);
  if (::renameat(session.fd(), kNew, session.fd(), kMark) != 0) {
    throw_errno("make 'unsynced'");
  }
  return true;
}

void sync_session(const session::SessionDir& session) {
  const sys::FileLock syncing =
      sys::lock_file_at(session.fd(), "syncing", sys::LockMode::Exclusive);
  const sys::Fd upper =
      sys::open_at(session.fd(), "project/upper", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (::syncfs(upper.get()) != 0) {
    throw_errno("sync the session's changes");
  }
  clear_if_idle(session);
}

}  // namespace shadow::run
