// SPDX-License-Identifier: MIT
#include "session/directory/session_dir.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/file.hpp"

#include <cerrno>
#include <charconv>
#include <string_view>
#include <utility>

#include <sys/stat.h>

namespace shadow::session {
namespace {

constexpr std::string_view kRenewed = "renewed";

}  // namespace

std::optional<SessionDir> SessionDir::find(const StateDir& state, const std::string& id) {
  std::string path = state.session(id);
  sys::Fd dir = sys::try_open_at(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!dir) {
    if (errno == ENOENT) {
      return std::nullopt;
    }
    throw_errno("open the session " + id);
  }
  return SessionDir{std::move(path), id, std::move(dir)};
}

SessionDir SessionDir::find_or_make(const StateDir& state, const std::string& id) {
  for (;;) {
    if (auto found = find(state, id)) {
      return std::move(*found);
    }
    if (::mkdir(state.session(id).c_str(), S_IRWXU) != 0 && errno != EEXIST) {
      throw_errno("make the session " + id);
    }
  }
}

bool SessionDir::current() const {
  struct stat here {};
  struct stat held {};
  return ::stat(path_.c_str(), &here) == 0 && ::fstat(dir_.get(), &held) == 0 &&
         here.st_ino == held.st_ino && here.st_dev == held.st_dev;
}

std::optional<SessionFacts> SessionDir::read_facts() const {
  const auto text = sys::read_file_at(dir_.get(), "root");
  if (!text) {
    return std::nullopt;
  }
  const std::vector<std::string> lines = split(*text, '\n');
  SessionFacts facts;
  if (lines.size() < 2 ||
      std::from_chars(lines[1].data(), lines[1].data() + lines[1].size(), facts.base_time_ns).ec !=
          std::errc{}) {
    throw Error{"cannot read the facts of session " + id_, "discard the session"};
  }
  facts.identity = sys::identity_from_text(lines[0]);
  facts.renewed = lines.size() > 2 && lines[2] == kRenewed;
  return facts;
}

void SessionDir::write_facts(const SessionFacts& facts) const {
  sys::replace_file_at(dir_.get(), "root",
                       sys::to_text(facts.identity) + std::to_string(facts.base_time_ns) + "\n" +
                           (facts.renewed ? std::string{kRenewed} + "\n" : std::string{}),
                       S_IRUSR | S_IWUSR);
}

sys::FileLock SessionDir::lock() const {
  return sys::lock_file_at(dir_.get(), "lock", sys::LockMode::Exclusive);
}

std::optional<sys::FileLock> SessionDir::lock_within(std::chrono::milliseconds patience) const {
  return sys::lock_file_within(dir_.get(), "lock", sys::LockMode::Exclusive, patience);
}

std::optional<sys::FileLock> SessionDir::try_lock_idle() const {
  return sys::try_lock_file_at(dir_.get(), "live", sys::LockMode::Exclusive);
}

bool same_directory(const sys::Identity& a, const sys::Identity& b) {
  // Not by the device: its number is of one mount where a filesystem has no disk of its own
  // (overlayfs, FUSE, NFS), and even a disk's may be another one after a restart.
  const bool handles = !a.handle.empty() && !b.handle.empty();
  return a.ino == b.ino && (!handles || a.handle == b.handle);
}

std::optional<sys::Fd> try_open_project(const std::string& root, const SessionFacts& facts) {
  sys::Fd project = sys::try_open_at(AT_FDCWD, root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  return project && same_directory(facts.identity, sys::identify(project.get()))
             ? std::optional{std::move(project)}
             : std::nullopt;
}

}  // namespace shadow::session
