// SPDX-License-Identifier: MIT
#include "promote/recover/transaction.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "promote/journal/lifecycle.hpp"
#include "promote/recover/finish.hpp"
#include "promote/recover/rebase.hpp"
#include "promote/recover/roll_back.hpp"
#include "promote/recover/room.hpp"
#include "promote/repository/git_lock.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"

#include <cerrno>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::promote {
namespace {

sys::Fd state_dir(const ApplySite& site, const std::string& name) {
  const sys::Fd state = sys::open_path(site.state, O_RDONLY | O_DIRECTORY);
  (void)sys::make_dirs(state.get(), name, S_IRWXU);
  return sys::open_at(state.get(), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

std::string project_name(const std::string& project) {
  return to_hex(hash_bytes(project));
}

// What is written stays written, and whatever else is to be done with the project can be done
// first: a session may have to be dropped to make the room that this needs.
bool finish_if_possible(const ApplySite& site, store::ApplyRow& apply, RecoveryReport& report) {
  try {
    settle(site, apply, report.left);
    ++report.finished;
    return true;
  } catch (const Error& error) {
    report.left.push_back("apply " + std::to_string(apply.id) +
                          " is written, but not tidied up: " + error.what());
    return false;
  }
}

}  // namespace

std::optional<sys::FileLock> lock_project(const ApplySite& site,
                                          std::chrono::milliseconds patience) {
  const sys::Fd locks = state_dir(site, "locks");
  return sys::lock_file_within(locks.get(), "apply-" + project_name(site.project),
                               sys::LockMode::Exclusive, patience);
}

void set_marker(const ApplySite& site) {
  const sys::Fd dir = state_dir(site, "applying");
  const std::string name = project_name(site.project);
  {
    const sys::Fd file =
        sys::open_at(dir.get(), name, O_WRONLY | O_CREAT | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    sys::write_all(file.get(), site.project);
  }
  if (::fsync(dir.get()) != 0) {
    throw_errno("sync 'applying'");
  }
}

void clear_marker(const ApplySite& site) {
  const sys::Fd dir = state_dir(site, "applying");
  if (::unlinkat(dir.get(), project_name(site.project).c_str(), 0) != 0 && errno != ENOENT) {
    throw_errno("remove a file of 'applying'");
  }
}

FullDurability::FullDurability(store::Database& database) : database_{database} {
  database_.set_durability(store::Durability::Full);
}

FullDurability::~FullDurability() {
  try {
    database_.set_durability(store::Durability::Normal);
  } catch (const Error&) {
    return;  // more durable than need be
  }
}

Settled settle(const ApplySite& site, store::ApplyRow& apply, std::vector<std::string>& left) {
  Tree tree{site.project};
  const EachRow rows = [&](store::StepOrder order, const std::function<void(Row&)>& look) {
    store::each_step(site.database, apply.id, order, look);
  };
  if (!is_written(apply.state)) {
    roll_back(tree, rows, left);
    // Restored entries must be on disk before the journal forgets them.
    tree.sync();
    SHADOW_FAIL_POINT("before-forgetting");
    store::Transaction transaction{site.database};
    renew_bases(tree, site.database, site.project, rows);
    store::delete_apply(site.database, apply.id);
    transaction.commit();
    return Settled::RolledBack;
  }
  finish(tree, site, apply.id, rows, left);
  // The removals are on disk before the journal forgets them: the commit sees to that by itself
  // where both lie on one filesystem, whose journal keeps the order.
  if (!is_on_filesystem(tree, site.state)) {
    tree.sync();
  }
  apply.ended_ns = sys::now_ns();
  SHADOW_FAIL_POINT("before-ending");
  store::update_apply(site.database, apply);
  return Settled::Finished;
}

void settle_all(const ApplySite& site, RecoveryReport& report) {
  for (store::ApplyRow& apply : store::unended_applies(site.database, site.project)) {
    if (settle(site, apply, report.left) == Settled::RolledBack) {
      ++report.rolled_back;
    } else {
      ++report.finished;
    }
  }
  clear_marker(site);
}

void settle_what_can_be(const ApplySite& site, RecoveryReport& report) {
  bool all = true;
  for (store::ApplyRow& apply : store::unended_applies(site.database, site.project)) {
    if (is_written(apply.state)) {
      all = finish_if_possible(site, apply, report) && all;
    } else {
      settle(site, apply, report.left);
      ++report.rolled_back;
    }
  }
  if (all) {
    clear_marker(site);
  }
}

bool recovery_needed(const std::string& state, const std::string& project) {
  const std::string marker = state + "/applying/" + to_hex(hash_bytes(project));
  return ::faccessat(AT_FDCWD, marker.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0 ||
         LockBook::is_open(state, project);
}

RecoveryReport recover(const ApplySite& site) {
  RecoveryReport report;
  const auto lock = lock_project(site, std::chrono::milliseconds{0});
  if (!lock) {
    return report;
  }
  const FullDurability full{site.database};
  settle_what_can_be(site, report);
  LockBook::clean_up(site.state, site.project);
  return report;
}

}  // namespace shadow::promote
