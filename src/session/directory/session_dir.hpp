// SPDX-License-Identifier: MIT
// A session's directory in the state, and the locks in it.
//
//   lock     exclusive while a run is being created or joins, and while the upper is changed from
//            outside (prune, discard, refresh). Short.
//   live     shared by every live run (its supervisor and its pid 1) and by the keeper; whoever
//            gets it exclusively knows that no mount of the session exists. Holds the records of
//            live_runs.hpp.
//   keeper   exclusive while a process keeps the mount and waits to finish the last runs.
//   settle   shared while that process writes the records and the ledger.
//   following exclusive while a process has the view follow the project.
//   taking   exclusive while a process takes the base tree. A refresh puts a new file in its place:
//            who takes the tree of before is not waited for.
//   root     identity of the project's root, base time, whether a refresh has renewed it: what a
//            run needs before the database.
//   unsynced boot id and number of the oldest run whose writes may not be on disk yet.

#pragma once

#include "shadow/session.hpp"

#include "sys/files/fd.hpp"
#include "sys/files/identity.hpp"
#include "sys/files/lock.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace shadow::session {

// The content of `root`.
struct SessionFacts {
  sys::Identity identity;
  std::int64_t base_time_ns = 0;
  bool renewed = false;  // by a refresh
};

inline constexpr const char* kKeeperLock = "keeper";
inline constexpr const char* kSettleLock = "settle";
inline constexpr const char* kTakingLock = "taking";

// The longest wait for all ended runs to be recorded.
inline constexpr std::chrono::seconds kSettlePatience{30};

class SessionDir {
 public:
  // nullopt when the session does not exist.
  [[nodiscard]] static std::optional<SessionDir> find(const StateDir& state, const std::string& id);
  [[nodiscard]] static SessionDir find_or_make(const StateDir& state, const std::string& id);

  [[nodiscard]] int fd() const { return dir_.get(); }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& id() const { return id_; }

  // True if this is still the directory at its path (discard renames it away).
  [[nodiscard]] bool current() const;

  // nullopt when the session was not completely made (a first run was killed).
  [[nodiscard]] std::optional<SessionFacts> read_facts() const;
  void write_facts(const SessionFacts& facts) const;

  [[nodiscard]] sys::FileLock lock() const;
  [[nodiscard]] std::optional<sys::FileLock> lock_within(std::chrono::milliseconds patience) const;
  // Exclusive `live`: no run and no mount. To be asked while holding `lock`.
  [[nodiscard]] std::optional<sys::FileLock> try_lock_idle() const;

 private:
  SessionDir(std::string path, std::string id, sys::Fd dir)
      : path_{std::move(path)}, id_{std::move(id)}, dir_{std::move(dir)} {}
  std::string path_;
  std::string id_;
  sys::Fd dir_;
};

// True if both are the same directory: by inode and handle, or by the inode alone where the
// filesystem gives no handle. A device number changes when a filesystem is mounted again.
[[nodiscard]] bool same_directory(const sys::Identity& a, const sys::Identity& b);

// The project's directory; nullopt when it is gone or another than the session began with.
[[nodiscard]] std::optional<sys::Fd> try_open_project(const std::string& root,
                                                      const SessionFacts& facts);

}  // namespace shadow::session
