// SPDX-License-Identifier: MIT
// The parts that make an apply a transaction: the lock of its project, the marker of an unfinished
// apply, and the settling of a journal that was not ended.

#pragma once

#include "shadow/apply.hpp"

#include "store/tables/applies.hpp"
#include "sys/files/lock.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace shadow::promote {

struct RecoveryReport {
  int rolled_back = 0;
  int finished = 0;

  // Sentences about paths that could not be restored because they hold neither the old nor the new
  // entry (nothing was overwritten), and about what is written and could not be finished.
  std::vector<std::string> left;

  [[nodiscard]] bool empty() const { return rolled_back == 0 && finished == 0 && left.empty(); }
};

// nullopt when another process has it for longer than `patience`.
[[nodiscard]] std::optional<sys::FileLock> lock_project(const ApplySite& site,
                                                        std::chrono::milliseconds patience);

// A file of STATE/applying, on disk when the call returns.
void set_marker(const ApplySite& site);
void clear_marker(const ApplySite& site);

// Commits survive the power for as long as this lives.
class FullDurability {
 public:
  explicit FullDurability(store::Database& database);
  FullDurability(const FullDurability&) = delete;
  FullDurability(FullDurability&&) = delete;
  FullDurability& operator=(const FullDurability&) = delete;
  FullDurability& operator=(FullDurability&&) = delete;
  ~FullDurability();

 private:
  store::Database& database_;
};

enum class Settled : std::uint8_t { RolledBack, Finished };

// Rolls back an apply that was not wholly written, finishes one that was. Needs the project's lock
// and full durability. Throws when it cannot; the journal stays as it is then.
Settled settle(const ApplySite& site, store::ApplyRow& apply, std::vector<std::string>& left);

// Settles all that is not ended and clears the marker.
void settle_all(const ApplySite& site, RecoveryReport& report);

// The same, but an apply that is written and cannot be finished is reported, and left for the next
// time.
void settle_what_can_be(const ApplySite& site, RecoveryReport& report);

// True if an apply of the project is in progress or was interrupted: one look for a file, at the
// start of every command.
[[nodiscard]] bool recovery_needed(const std::string& state, const std::string& project);

// Finishes what was wholly written and rolls back what was not. Does nothing while another process
// applies to the project: nothing is interrupted then. May be interrupted and repeated.
RecoveryReport recover(const ApplySite& site);

}  // namespace shadow::promote
