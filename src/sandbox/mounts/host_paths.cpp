// SPDX-License-Identifier: MIT
#include "sandbox/mounts/host_paths.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sandbox/secrets/other_homes.hpp"
#include "sandbox/setup/place.hpp"
#include "sandbox/setup/step.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/namespaces/mount.hpp"

#include <algorithm>
#include <cerrno>
#include <exception>

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

namespace shadow::sandbox {
namespace {

// While it lives the calling thread is in a copy of its mount namespace without the session's
// covers. The copy belongs to the same user namespace, so its mounts are not locked.
class Uncovered {
 public:
  explicit Uncovered(const SessionPlan& session)
      : before_{sys::open_path("/proc/self/ns/mnt", O_RDONLY)} {
    if (::unshare(CLONE_NEWNS) != 0) {
      throw_errno("look below the session's mounts");
    }
    std::vector<std::string> covers = {session.project, session.home, session.state, "/tmp",
                                       "/var/tmp",      "/run",       "/dev"};
    // Secrets found in other homes when the session was mounted, or since.
    const std::vector<std::string> secrets = secrets_of_others(session);
    covers.insert(covers.end(), secrets.begin(), secrets.end());
    for (const std::string& cover : covers) {
      // EINVAL: not covered in this session.
      if (!cover.empty() && ::umount2(cover.c_str(), MNT_DETACH | UMOUNT_NOFOLLOW) != 0 &&
          errno != EINVAL && errno != ENOENT) {
        throw_errno("look below " + quoted(cover));
      }
    }
  }
  Uncovered(const Uncovered&) = delete;
  Uncovered(Uncovered&&) = delete;
  Uncovered& operator=(const Uncovered&) = delete;
  Uncovered& operator=(Uncovered&&) = delete;
  ~Uncovered() {
    if (::setns(before_.get(), CLONE_NEWNS) != 0) {
      std::terminate();  // going on in the wrong namespace would undo the isolation
    }
  }

 private:
  sys::Fd before_;
};

enum class Writes : std::uint8_t { Refused, Allowed };

// The path is canonical: a link in it was put there since, by a live run that may write a directory
// above it.
HostPath take(const std::string& path, Writes writes) {
  const sys::Fd host = sys::open_path("/", O_PATH | O_DIRECTORY);
  const sys::Fd named = sys::try_open_beneath(host.get(), std::string_view{path}.substr(1), O_PATH);
  if (!named) {
    throw_errno("take " + quoted(path) + " from the host");
  }
  HostPath taken{path, sys::clone_mount(named.get(), "", sys::Recursive::Yes)};
  // Devices are of use in /dev alone, where whoever names one wants just that. It may be opened for
  // writing on a read-only mount, on which its mode cannot be changed.
  const bool device = path.starts_with("/dev/");
  const std::uint64_t set = MOUNT_ATTR_NOSUID | (device ? MOUNT_ATTR_RDONLY : MOUNT_ATTR_NODEV);
  const std::uint64_t cleared = device                      ? MOUNT_ATTR_NODEV
                                : writes == Writes::Allowed ? MOUNT_ATTR_RDONLY
                                                            : 0;
  sys::change_mount(taken.mount.get(), "", set, cleared, sys::Recursive::No);
  return taken;
}

// Only homes of the session's own need nothing but a bind; the others are made with the session.
Home take_other_home(const SessionPlan& session, HomeView view) {
  if (view != HomeView::Private && view != HomeView::Allowed) {
    throw Error{"cannot give this run another home: the session is live with one of another kind",
                "wait until its other runs have ended, or leave --home out"};
  }
  return take_private_home(session, view);
}

bool is_directory(int fd) {
  struct stat st {};
  return ::fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
}

// A read-only home has no name for what it masks, on which a real path could be mounted, and in the
// run's namespaces none can be made: it is made here, by way of a mount of the home's overlay that
// may be written. What there is then is empty, and masks the secret as well.
class PointsInHome {
 public:
  explicit PointsInHome(const std::string& home)
      : home_{home}, mount_{sys::clone_mount(AT_FDCWD, home, sys::Recursive::No)} {}

  void make(const HostPath& host) const {
    if (!host.path.starts_with(home_ + "/")) {
      return;
    }
    const std::string below = host.path.substr(home_.size() + 1);
    if (!sys::try_open_beneath(mount_.get(), below, O_PATH)) {
      sys::change_mount(mount_.get(), "", 0, MOUNT_ATTR_RDONLY, sys::Recursive::No);
      (void)make_point(mount_.get(), below, is_directory(host.mount.get()));
    }
  }

 private:
  const std::string& home_;
  sys::Fd mount_;
};

}  // namespace

bool is_in_project(const SessionPlan& session, const std::string& path) {
  return (path + "/").starts_with(session.project + "/");
}

FromHost take_from_host(const SessionPlan& session, const RunPlan& run, HomeView session_home) {
  std::vector<std::string> read_only;
  for (const std::string& path : run.read_only) {
    if (!is_in_project(session, path)) {
      read_only.push_back(path);
    }
  }
  const bool other_home =
      run.home_view && *run.home_view != session_home && session_home != HomeView::None;
  FromHost taken;
  if (read_only.empty() && run.read_write.empty() && !other_home) {
    return taken;
  }
  begin_step(Step::TakeFromHost);
  std::optional<PointsInHome> points;
  if (session_home == HomeView::ReadOnly && !other_home) {
    points.emplace(session.home);
  }
  const Uncovered uncovered{session};
  if (other_home) {
    taken.home = take_other_home(session, *run.home_view);
  }
  for (const std::string& path : read_only) {
    taken.paths.push_back(take(path, Writes::Refused));
  }
  for (const std::string& path : run.read_write) {
    taken.paths.push_back(take(path, Writes::Allowed));
  }
  if (points) {
    std::for_each(taken.paths.begin(), taken.paths.end(),
                  [&points](const HostPath& host) { points->make(host); });
  }
  return taken;
}

void attach_host_path(int mount, const std::string& path) {
  if (is_directory(mount)) {
    attach_at(mount, path);
    return;
  }
  const sys::SplitPath parts = sys::split_path(path);
  const sys::Fd parent = open_mount_point(parts.parent.empty() ? "/" : std::string{parts.parent});
  const std::string name{parts.name};
  const sys::Fd made =
      sys::try_open_at(parent.get(), name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, S_IRUSR);
  if (!made && errno != EEXIST) {
    throw_errno("make " + quoted(path) + " in the view");
  }
  const sys::Fd point = sys::open_at(parent.get(), name, O_PATH | O_NOFOLLOW);
  if (is_directory(point.get())) {
    // The kernel would say that an argument is invalid.
    throw Error{"cannot show " + quoted(path) + ": the session has a directory in its place",
                kPutThere};
  }
  sys::attach_mount(mount, point.get(), path);
}

}  // namespace shadow::sandbox
