// SPDX-License-Identifier: MIT
#include "discard/gc.hpp"

#include "shadow/apply.hpp"
#include "shadow/error.hpp"

#include "bases/tree/base_tree.hpp"
#include "commits/refs/commit_staging.hpp"
#include "overlay/format/look.hpp"
#include "session/directory/doctor_names.hpp"
#include "session/directory/idle.hpp"
#include "session/directory/live_runs.hpp"
#include "session/directory/overlay_trial.hpp"
#include "session/directory/remove_session.hpp"
#include "session/directory/session_dir.hpp"
#include "store/contents/blobs.hpp"
#include "store/contents/pre_images.hpp"
#include "store/tables/applies.hpp"
#include "store/tables/runs.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/dir.hpp"
#include "sys/processes/process.hpp"
#include "upkeep/replaced.hpp"

#include <algorithm>
#include <cerrno>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::discard {

namespace {

// Only what the kernel says is not there: a server that does not answer may say anything else.
bool is_gone(const std::string& path) {
  struct stat st {};
  return ::lstat(path.c_str(), &st) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

// A disk that is not mounted now looks like one that is gone for good.
bool may_be_wanted(const session::SessionDir& session, const store::SessionRow& row,
                   std::int64_t keep_since_ns) {
  return row.used_ns > keep_since_ns && !upkeep::holds_nothing(session);
}

// The directory that the examination of a process which was killed has left; "" for a session of
// anybody else's, or of an examination that goes on.
std::string left_by_doctor(const store::SessionRow& row) {
  const std::string_view agent = row.agent;
  const std::string_view prefix = session::kDoctorAgent;
  const sys::SplitPath project = sys::split_path(row.project);
  if (!agent.starts_with(prefix) || project.name != session::kDoctorProject ||
      !sys::split_path(project.parent).name.starts_with(session::kDoctorPlace) ||
      sys::is_of_live_process(std::string{agent.substr(prefix.size())} + "-")) {
    return {};
  }
  return std::string{project.parent};
}

void remove_left_by_doctor(const StateDir& state, store::Database& db, const store::SessionRow& row,
                           const std::string& place) {
  session::discard_session(state, db, row, session::LiveRuns::Refuse);
  struct stat st {};
  if (::lstat(place.c_str(), &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == ::geteuid()) {
    sys::remove_tree(AT_FDCWD, place);
  }
}

void remove_lost_session(const StateDir& state, store::Database& db, const store::SessionRow& row,
                         std::int64_t keep_since_ns, GcMode mode, GcReport& report) {
  const auto dir = session::SessionDir::find(state, row.id);
  const bool gone = !dir || is_gone(row.project);
  const std::string doctor = left_by_doctor(row);
  if (!gone && doctor.empty() && !upkeep::is_replaced(*dir, row.project)) {
    return;
  }
  if (dir && session::has_live_runs(*dir)) {
    report.live.push_back(row);
    return;
  }
  if (dir && doctor.empty() && may_be_wanted(*dir, row, keep_since_ns)) {
    report.held.push_back(row);
    return;
  }
  if (mode == GcMode::Remove && !doctor.empty()) {
    remove_left_by_doctor(state, db, row, doctor);
  } else if (mode == GcMode::Remove && (gone || row.used_ns <= keep_since_ns)) {
    session::discard_session(state, db, row, session::LiveRuns::Refuse);
  } else if (mode == GcMode::Remove && !upkeep::drop_replaced(state, db, row)) {
    return;  // something was put into it meanwhile
  }
  report.sessions.push_back(row);
}

void remove_lost_sessions(const StateDir& state, store::Database& db, std::int64_t keep_since_ns,
                          GcMode mode, GcReport& report) {
  for (const store::SessionRow& row : store::all_sessions(db)) {
    remove_lost_session(state, db, row, keep_since_ns, mode, report);
  }
}

// A process that finishes a run of the session may put one more file in.
void remove_for_good(int trash, const std::string& name) {
  constexpr int kTries = 3;
  for (int attempt = 1;; ++attempt) {
    try {
      sys::remove_tree(trash, name);
      return;
    } catch (const SysError& error) {
      if (error.errno_value() != ENOTEMPTY || attempt == kTries) {
        throw;
      }
    }
  }
}

void remove_trash(const StateDir& state, GcMode mode, GcReport& report) {
  const sys::Fd trash = sys::open_path(state.path() + "/trash", O_RDONLY | O_DIRECTORY);
  for (const sys::DirEntry& entry : sys::list_dir(trash.get())) {
    ++report.trash;
    if (mode == GcMode::Remove) {
      remove_for_good(trash.get(), entry.name);
    }
  }
}

// One that was killed left its directory behind; one that goes on is young.
void remove_trials(const StateDir& state, std::int64_t oldest_young, GcMode mode,
                   GcReport& report) {
  const sys::Fd dir = sys::open_path(state.path(), O_RDONLY | O_DIRECTORY);
  for (const sys::DirEntry& entry : sys::list_dir(dir.get())) {
    if (entry.name.starts_with(session::kTrialPrefix) &&
        overlay::look_at(dir.get(), entry.name).ctime_ns <= oldest_young) {
      ++report.trash;
      if (mode == GcMode::Remove) {
        sys::remove_tree(dir.get(), entry.name);
      }
    }
  }
}

// The same of the directory for a project that a doctor tries runs in: one that was killed before
// its first run has no session either.
bool is_of_doctor(const sys::Fd& place, const std::string& name, std::int64_t oldest_young) {
  constexpr std::size_t kRandom = 6;  // mkdtemp(3)
  const Entry entry = overlay::look_at(place.get(), name);
  if (!name.starts_with(session::kDoctorPlace) ||
      name.size() != std::string_view{session::kDoctorPlace}.size() + kRandom ||
      entry.kind != EntryKind::Directory || entry.uid != ::geteuid() ||
      entry.mtime_ns > oldest_young) {
    return false;
  }
  const sys::Fd dir = sys::try_open_at(place.get(), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const auto of_trial = [](const sys::DirEntry& inner) {
    return inner.name == session::kDoctorProject || inner.name == "host" ||
           inner.name == "repository";
  };
  const std::vector<sys::DirEntry> inside =
      dir ? sys::list_dir(dir.get()) : std::vector<sys::DirEntry>{};
  return dir && std::all_of(inside.begin(), inside.end(), of_trial);
}

void remove_places_of_doctors(std::int64_t oldest_young, GcMode mode, GcReport& report) {
  for (const std::string& path : session::doctor_places()) {
    const sys::Fd place = sys::try_open_at(AT_FDCWD, path, O_RDONLY | O_DIRECTORY);
    for (const sys::DirEntry& entry :
         place ? sys::list_dir(place.get()) : std::vector<sys::DirEntry>{}) {
      if (is_of_doctor(place, entry.name, oldest_young)) {
        ++report.trash;
        if (mode == GcMode::Remove) {
          sys::remove_tree(place.get(), entry.name);
        }
      }
    }
  }
}

void remove_blobs(const StateDir& state, store::Database& db, std::int64_t oldest_young,
                  GcMode mode, GcReport& report) {
  store::Blobs blobs{state.path()};
  const std::vector<std::string> names = blobs.list();
  const std::set<std::string> needed = needed_blobs(state, db);
  for (const std::string& name : names) {
    if (needed.count(name) != 0) {
      continue;
    }
    const sys::Fd blob = blobs.open(name);
    if (!blob) {
      continue;
    }
    const Entry entry = overlay::look_fd(blob.get());
    if (entry.ctime_ns > oldest_young) {
      continue;
    }
    ++report.blobs;
    report.blob_bytes += entry.size;
    if (mode == GcMode::Remove) {
      blobs.remove(name);
    }
  }
  if (mode == GcMode::Remove) {
    blobs.remove_leftovers();
  }
}

// Those of applies that are forgotten.
void remove_pre_images(const StateDir& state, store::Database& db, GcMode mode, GcReport& report) {
  store::PreImages kept{state.path()};
  for (const std::int64_t apply : kept.applies()) {
    if (store::find_apply(db, apply)) {
      continue;
    }
    const store::PreImages::Usage usage = kept.usage_of(apply);
    report.blobs += usage.files;
    report.blob_bytes += usage.bytes;
    if (mode == GcMode::Remove) {
      kept.remove(apply);
    }
  }
}

}  // namespace

std::set<std::string> needed_blobs(const StateDir& state, store::Database& db) {
  std::set<std::string> needed = store::referenced_blobs(db);
  for (const store::SessionRow& row : store::all_sessions(db)) {
    const auto dir = session::SessionDir::find(state, row.id);
    if (const auto tree = dir ? bases::read_base_tree(dir->fd()) : std::nullopt) {
      needed.merge(bases::blobs_of(*tree));
    }
  }
  return needed;
}

GcReport collect_garbage(const StateDir& state, store::Database& db, std::int64_t keep_since_ns,
                         GcMode mode) {
  // A young content may be in use already: it is stored before the row that refers to it is
  // written.
  constexpr std::int64_t kYoung = 3'600'000'000'000;
  const std::int64_t oldest_young = sys::now_ns() - kYoung;
  GcReport report;
  remove_lost_sessions(state, db, keep_since_ns, mode, report);
  remove_trash(state, mode, report);
  remove_trials(state, oldest_young, mode, report);
  remove_places_of_doctors(oldest_young, mode, report);
  if (mode == GcMode::Remove) {
    report.applies = forget_applies_before(db, keep_since_ns);
  }
  report.runs = store::count_runs_before(db, keep_since_ns);
  if (mode == GcMode::Remove) {
    store::delete_runs_before(db, keep_since_ns);
  }
  remove_blobs(state, db, oldest_young, mode, report);
  remove_pre_images(state, db, mode, report);
  if (mode == GcMode::Remove) {
    commits::remove_stale_staging(state.path());
  }
  return report;
}

}  // namespace shadow::discard
