// SPDX-License-Identifier: MIT
#include "live/staged_place.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/writable_files.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::live {

StagedPlace::StagedPlace(sys::Fd dir, const std::string& path)
    : dir_{std::move(dir)},
      path_{path},
      name_{sys::split_path(path).name},
      staged_{fmt::format(".shadow-{:x}-{:x}", ::getpid(), sys::now_ns())} {
}

std::string StagedPlace::staged_path() const {
  return sys::join_path(sys::split_path(path_).parent, staged_);
}

sys::Fd StagedPlace::make_file() const {
  constexpr mode_t kOwn = S_IRUSR | S_IWUSR;
  sys::Fd file{::openat(dir(), ".", O_RDWR | O_TMPFILE | O_CLOEXEC, kOwn)};
  return file ? std::move(file)
              : sys::open_at(dir(), staged_, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, kOwn);
}

void StagedPlace::take(const sys::Fd& file, const Entry& there) const {
  if (file && overlay::look_fd(file.get()).nlink == 0) {
    // The staged name is there for no longer than the exchange takes.
    if (!link(file, there.exists() ? staged_ : name_)) {
      refuse();
    }
    if (!there.exists()) {
      return;
    }
    SHADOW_FAIL_POINT("view-named");
  }
  if (!there.exists()) {
    if (!rename(staged_, name_, RENAME_NOREPLACE)) {
      refuse();
    }
    return;
  }
  const Entry own = overlay::look_at(dir(), staged_);
  // In exchange, so that what was replaced can be looked at, and put back.
  if (!rename(staged_, name_, RENAME_EXCHANGE)) {
    refuse();
  }
  if (!is_still(there)) {
    put_back(own);
    refuse();
  }
  sys::remove_tree(dir(), staged_);
}

void StagedPlace::remove(const Entry& there) const {
  if (!rename(name_, staged_, RENAME_NOREPLACE)) {
    refuse();
  }
  if (!is_still(there)) {
    (void)rename(staged_, name_, RENAME_NOREPLACE);
    refuse();
  }
  sys::remove_tree(dir(), staged_);
}

// What the exchange took away from the name, where `placed` is now. A run that has put another file
// there meanwhile finds that one.
void StagedPlace::put_back(Entry placed) const {
  Entry taken = overlay::look_at(dir(), staged_);
  while (rename(staged_, name_, RENAME_EXCHANGE)) {
    const Entry found = overlay::look_at(dir(), staged_);
    if (found.ino == placed.ino && found.mtime_ns == placed.mtime_ns) {
      return;
    }
    placed = std::exchange(taken, found);
  }
}

bool StagedPlace::link(const sys::Fd& file, const std::string& to) const {
  return ::linkat(AT_FDCWD, sys::proc_path(file.get()).c_str(), dir(), to.c_str(),
                  AT_SYMLINK_FOLLOW) == 0;
}

bool StagedPlace::rename(const std::string& from, const std::string& to, unsigned how) const {
  return ::renameat2(dir(), from.c_str(), dir(), to.c_str(), how) == 0;
}

// All that a rename leaves as it is: of a directory what is in it may change, and one of several
// names of a file is another file once it was copied up. A file that a run has opened for writing
// since it was looked at has lost its name by now, and the write with it.
bool StagedPlace::is_still(const Entry& there) const {
  const Entry now = overlay::look_at(dir(), staged_);
  if (now.kind != there.kind || (now.ino != there.ino && there.nlink < 2)) {
    return false;
  }
  return now.kind == EntryKind::Directory ||
         (!(now.kind == EntryKind::File && sys::is_open_for_writing(dir(), staged_)) &&
          now.size == there.size && now.mtime_ns == there.mtime_ns && now.mode == there.mode);
}

void StagedPlace::refuse() const {
  throw StaleError{fmt::format("cannot change {}: a run is writing it", quoted(path_)),
                   "try again",
                   ExitCode::Refused,
                   {path_}};
}

}  // namespace shadow::live
