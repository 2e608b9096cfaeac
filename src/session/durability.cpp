// SPDX-License-Identifier: MIT
#include "session/durability.hpp"

#include "shadow/error.hpp"

#include "sys/clock.hpp"
#include "sys/file.hpp"

#include <cerrno>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow {
namespace {

constexpr const char* kMark = "unsynced";

void remove_mark_if_idle(const SessionDir& session) {
  const sys::FileLock lock = session.lock();
  if (session.try_lock_idle()) {
    ::unlinkat(session.fd(), kMark, 0);
  }
}

}  // namespace

bool mark_unsynced(const SessionDir& session) {
  const std::string now = sys::boot_id();
  const auto mark = sys::read_file_at(session.fd(), kMark);
  if (mark && *mark == now) {
    return false;
  }
  sys::replace_file_at(session.fd(), kMark, now, S_IRUSR | S_IWUSR);
  return mark.has_value();
}

void sync_session(const SessionDir& session) {
  const sys::FileLock syncing =
      sys::lock_file_at(session.fd(), "syncing", sys::LockMode::Exclusive);
  const sys::Fd upper =
      sys::open_at(session.fd(), "project/upper", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (::syncfs(upper.get()) != 0) {
    throw_errno("sync the session's changes");
  }
  remove_mark_if_idle(session);
}

}  // namespace shadow
