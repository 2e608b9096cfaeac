// SPDX-License-Identifier: MIT
#include "session/directory/live_runs.hpp"

#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "base/numbers.hpp"
#include "base/text.hpp"
#include "sandbox/setup/namespaces.hpp"
#include "sys/files/file.hpp"
#include "sys/files/identity.hpp"
#include "sys/processes/process.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <csignal>

#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace shadow::session {
namespace {

bool alive(const LiveRecord& record) {
  return sys::start_time(record.supervisor) == record.start_time;
}

std::string line_of(const LiveRecord& record) {
  return fmt::format("{} {} {} {} {} {} {} {}\n", record.supervisor, record.start_time,
                     record.user_fd, record.mount_fd, static_cast<int>(record.home), record.init,
                     record.plan_hash, record.home_hash);
}

}  // namespace

std::vector<LiveRecord> read_live(const SessionDir& session) {
  std::vector<LiveRecord> records;
  const auto text = sys::read_file_at(session.fd(), "live");
  for (const std::string& line : split(text.value_or(""), '\n')) {
    LiveRecord record;
    int home = 0;
    // Eight numbers of our own writing; a torn line (its writer was killed) is no record.
    if (read_numbers(line, record.supervisor, record.start_time, record.user_fd, record.mount_fd,
                     home, record.init, record.plan_hash, record.home_hash)) {
      record.home = static_cast<sandbox::HomeView>(home);
      records.push_back(record);
    }
  }
  return records;
}

void register_live(const SessionDir& session, const LiveRecord& record) {
  std::string text = line_of(record);
  for (const LiveRecord& other : read_live(session)) {
    if (other.supervisor != record.supervisor && alive(other)) {
      text += line_of(other);
    }
  }
  // Written in place, not replaced: the file is the lock as well. Not emptied first: ext4 writes a
  // file that was to disk as soon as it is closed (auto_da_alloc).
  const sys::Fd fd = sys::open_at(session.fd(), "live", O_WRONLY | O_NOFOLLOW);
  sys::write_all(fd.get(), text);
  if (::ftruncate(fd.get(), static_cast<off_t>(text.size())) != 0) {
    throw_errno("note the live run");
  }
}

std::uint64_t hash_of(const sandbox::SessionPlan& plan) {
  std::string text =
      fmt::format("{}\n{}\n{}\n{}\n{} {}\n", plan.project, sys::to_text(plan.identity), plan.home,
                  plan.git_dir, static_cast<int>(plan.home_view), plan.home_may_fall_back);
  text += join(plan.secrets, "\n") + "\n\n" + join(plan.home_tools, "\n") + "\n\n" +
          join(plan.other_homes, "\n");
  return hash_bytes(text).low;
}

std::uint64_t hash_of_home(const sandbox::SessionPlan& plan) {
  return hash_bytes(plan.home).low;
}

std::optional<JoinableSession> find_joinable(const SessionDir& session, const LiveRecord& wanted) {
  for (const LiveRecord& record : read_live(session)) {
    if (record.keeper() && record.plan_hash != wanted.plan_hash) {
      continue;
    }
    const std::string fds = fmt::format("/proc/{}/fd/", record.supervisor);
    sandbox::SessionNamespaces namespaces{
        sys::try_open_at(AT_FDCWD, fds + std::to_string(record.user_fd), O_RDONLY),
        sys::try_open_at(AT_FDCWD, fds + std::to_string(record.mount_fd), O_RDONLY)};
    // The start time last: while it matches, what was opened before was this process'. A keeper may
    // have closed them by then and have something else at those numbers.
    if (namespaces.user && namespaces.mount && alive(record) && sandbox::are_session(namespaces)) {
      if (record.home_hash != wanted.home_hash) {
        throw Error{"cannot join the live session: its home directory is another one than $HOME",
                    "wait until its runs have ended"};
      }
      return JoinableSession{std::move(namespaces), record.home};
    }
  }
  return std::nullopt;
}

Holder holder_of(const SessionDir& session) {
  Holder holder = Holder::Ending;
  for (const LiveRecord& record : read_live(session)) {
    if (!alive(record)) {
      continue;
    }
    if (!record.keeper()) {
      return Holder::Run;
    }
    holder = Holder::Keeper;
  }
  return holder;
}

bool has_live_runs(const SessionDir& session) {
  return !session.try_lock_idle() && holder_of(session) != Holder::Keeper;
}

bool dismiss_keeper(const SessionDir& session) {
  bool dismissed = false;
  for (const LiveRecord& record : read_live(session)) {
    if (!record.keeper()) {
      continue;
    }
    const sys::Fd keeper = sys::open_pidfd(record.supervisor);
    if (keeper && alive(record)) {
      ::syscall(SYS_pidfd_send_signal, keeper.get(), SIGTERM, nullptr, 0);
      dismissed = true;
    }
  }
  constexpr std::chrono::seconds kPatience{2};
  return !dismissed ||
         sys::lock_file_within(session.fd(), kKeeperLock, sys::LockMode::Shared, kPatience);
}

std::optional<sys::FileLock> try_lock_unkept(const SessionDir& session) {
  if (auto idle = session.try_lock_idle()) {
    return idle;
  }
  (void)dismiss_keeper(session);
  return session.try_lock_idle();
}

void wait_for_recorded(const SessionDir& session) {
  for (const LiveRecord& record : read_live(session)) {
    if (record.init <= 0) {
      continue;
    }
    // A pid that was used again belongs to another process, which need not end: bounded.
    constexpr int kPatienceMs = 2000;
    if (const sys::Fd init = sys::open_pidfd(record.init)) {
      const std::string ns = fmt::format("/proc/{}/ns/pid", record.init);
      struct stat theirs {};
      struct stat ours {};
      if (::stat(ns.c_str(), &theirs) != 0 || ::stat("/proc/self/ns/pid", &ours) != 0 ||
          theirs.st_ino == ours.st_ino) {
        continue;  // a zombie, or a process of the host
      }
      pollfd ended{init.get(), POLLIN, 0};
      ::poll(&ended, 1, kPatienceMs);
    }
  }
}

void kill_recorded(const SessionDir& session) {
  for (const LiveRecord& record : read_live(session)) {
    if (record.keeper()) {
      continue;
    }
    // By the supervisor's pidfd, checked after it was opened: a pid alone may be another's by now.
    const sys::Fd supervisor = sys::open_pidfd(record.supervisor);
    if (supervisor && alive(record)) {
      ::syscall(SYS_pidfd_send_signal, supervisor.get(), SIGKILL, nullptr, 0);
    }
  }
}

}  // namespace shadow::session
