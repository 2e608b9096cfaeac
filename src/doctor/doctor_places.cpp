// SPDX-License-Identifier: MIT
// Checks of places: the state directory, the project, the home.
#include "shadow/error.hpp"

#include "base/text.hpp"
#include "doctor/doctor_checks.hpp"
#include "sandbox/mounts/overlay_mount.hpp"
#include "sandbox/mounts/state_place.hpp"
#include "session/directory/overlay_trial.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"
#include "sys/namespaces/mountinfo.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace shadow::doctor {
namespace {

std::optional<decltype(statfs::f_type)> filesystem_of(const std::string& path) {
  struct statfs fs {};
  if (::statfs(path.c_str(), &fs) != 0) {
    return std::nullopt;
  }
  return fs.f_type;
}

template <class Magic>
bool is(const std::optional<decltype(statfs::f_type)>& type, Magic magic) {
  return type && *type == static_cast<decltype(statfs::f_type)>(magic);
}

// True if overlayfs accepts an upper there.
bool takes_uppers(const std::string& path) {
  const auto type = filesystem_of(path);
  return !is(type, OVERLAYFS_SUPER_MAGIC) && !is(type, FUSE_SUPER_MAGIC) &&
         !is(type, NFS_SUPER_MAGIC);
}

// The type by the name of its mount: of all mounts that the path is below, the last with the
// longest point is the one on top.
std::string filesystem_name(const std::string& path) {
  std::string name = "an unknown filesystem";
  std::size_t longest = 0;
  for (const sys::MountInfo& mount : sys::read_mountinfo()) {
    const bool above = mount.point == "/" || path == mount.point ||
                       (path.starts_with(mount.point) && path[mount.point.size()] == '/');
    if (above && mount.point.size() >= longest) {
      longest = mount.point.size();
      name = mount.type;
    }
  }
  return name;
}

// The overlay must have left the changed file in the upper, and a whiteout for the deleted one.
std::string missing_in_upper(const std::string& scratch) {
  const sys::Fd upper = sys::open_path(scratch + "/layer/upper", O_RDONLY | O_DIRECTORY);
  struct stat st {};
  if (sys::read_file_at(upper.get(), "changed") != "text\nmore\n") {
    return "a changed file did not arrive in the upper layer";
  }
  if (::fstatat(upper.get(), "deleted", &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISCHR(st.st_mode) ||
      st.st_rdev != 0) {
    return "a deleted file left no whiteout in the upper layer";
  }
  // Masks of the home are whiteouts that shadow makes itself (Linux 5.8 lets everyone).
  if (::mknodat(upper.get(), "mask", S_IFCHR, makedev(0, 0)) != 0) {
    return "no whiteout can be made there";
  }
  return {};
}

void try_overlay(Findings& findings, const std::string& state) {
  const session::OverlayTrial scratch{state};
  Finding finding = found("overlay", sandbox::probe_overlay(scratch.path()), Health::Cannot);
  if (finding.health == Health::Ok) {
    finding.cause = missing_in_upper(scratch.path());
    finding.health = finding.cause.empty() ? Health::Ok : Health::Cannot;
  }
  if (finding.health != Health::Ok && finding.mend.empty()) {
    finding.mend = sandbox::advice_on_state(state);
  }
  findings.push_back(std::move(finding));
}

void try_reflink(Findings& findings, const std::string& state) {
  const session::OverlayTrial scratch{state};
  const sys::Fd dir = sys::open_path(scratch.path(), O_RDONLY | O_DIRECTORY);
  sys::replace_file_at(dir.get(), "from", std::string(8192, 'x'), S_IRUSR | S_IWUSR);
  const sys::Fd from = sys::open_at(dir.get(), "from", O_RDONLY);
  const sys::Fd to = sys::open_at(dir.get(), "to", O_RDWR | O_CREAT, S_IRUSR | S_IWUSR);
  const bool works = ::ioctl(to.get(), FICLONE, from.get()) == 0;
  findings.push_back(
      {"reflinks",
       Health::Ok,
       works ? "copies of large files cost nothing"
             : "none on " + filesystem_name(state) + ": changing a large file costs a copy of it",
       {}});
}

// Counts entries of the first levels that a run could not change because their owner or group is
// not mapped: the kernel says EOVERFLOW when it should copy such a file up.
struct Foreign {
  std::size_t seen = 0;
  std::size_t count = 0;
  std::string example;
  bool own = true;  // all are the caller's, but for their group
};

void count_foreign(int dir, const std::string& path, int depth, Foreign& foreign) {
  constexpr std::size_t kMostSeen = 20'000;
  constexpr int kDeepest = 6;
  for (const sys::DirEntry& entry : sys::list_dir(dir)) {
    struct stat st {};
    if (foreign.seen >= kMostSeen ||
        ::fstatat(dir, entry.name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) {
      continue;
    }
    ++foreign.seen;
    const std::string name = path.empty() ? entry.name : path + "/" + entry.name;
    if (st.st_uid != ::geteuid() || st.st_gid != ::getegid()) {
      ++foreign.count;
      foreign.own = foreign.own && st.st_uid == ::geteuid();
      foreign.example = foreign.example.empty() ? name : foreign.example;
    }
    if (S_ISDIR(st.st_mode) && depth < kDeepest) {
      if (const sys::Fd below =
              sys::try_open_at(dir, entry.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)) {
        count_foreign(below.get(), name, depth + 1, foreign);
      }
    }
  }
}

std::string mend_owners(const Foreign& foreign, const std::string& project) {
  const std::string group = std::to_string(::getegid());
  return (foreign.own ? "chgrp -R " + group
                      : "sudo chown -R " + std::to_string(::geteuid()) + ":" + group) +
         " " + shell_quoted(project);
}

void check_owners(Findings& findings, const std::string& project) {
  if (::geteuid() == 0) {
    return;  // all ids are mapped
  }
  const sys::Fd dir = sys::open_path(project, O_RDONLY | O_DIRECTORY);
  Foreign foreign;
  count_foreign(dir.get(), {}, 0, foreign);
  if (foreign.count == 0) {
    findings.push_back({"project owners", Health::Ok, {}, {}});
    return;
  }
  findings.push_back({"project owners", Health::Degraded,
                      (foreign.count == 1 ? std::string{"1 entry belongs"}
                                          : std::to_string(foreign.count) + " entries belong") +
                          " to another user or group, such as " + quoted(foreign.example) +
                          ": runs can read but not change them",
                      mend_owners(foreign, project)});
}

}  // namespace

void check_state(Findings& findings, const std::string& state, bool namespaces) {
  const auto type = filesystem_of(state);
  Finding finding{"state directory", Health::Ok, filesystem_name(state), {}};
  try {
    sandbox::check_upper_filesystem(state);
  } catch (const Error& error) {
    findings.push_back(
        {finding.name, Health::Cannot, error.what(), sandbox::advice_on_state(state)});
    return;
  }
  if (is(type, TMPFS_MAGIC) || is(type, RAMFS_MAGIC)) {
    finding = {"state directory", Health::Degraded,
               quoted(state) + " is in memory: sessions do not outlive a restart",
               sandbox::advice_on_state(state)};
  }
  findings.push_back(std::move(finding));
  if (namespaces) {
    try_overlay(findings, state);
  }
  try_reflink(findings, state);
}

void check_project(Findings& findings, const DoctorRequest& request, bool namespaces) {
  const std::vector<sys::MountInfo> below = sys::mounts_below(request.project);
  if (!below.empty()) {
    findings.push_back({"project", Health::Cannot,
                        quoted(below[0].point) + " is a mount point below it, and the kernel "
                                                 "refuses an overlay over it",
                        "unmount it, or use a directory beside it as the project: -C DIR"});
    return;
  }
  if (namespaces && !request.state.empty() && takes_uppers(request.state)) {
    const session::OverlayTrial scratch{request.state};
    findings.push_back(found("project",
                             sandbox::probe_view(request.project, scratch.path() + "/layer"),
                             Health::Cannot));
  }
  check_owners(findings, request.project);
}

void check_home(Findings& findings, const DoctorRequest& request, bool namespaces) {
  const bool can_try = namespaces && !request.state.empty() && takes_uppers(request.state);
  const std::string why = can_try ? session::why_no_home_overlay(request.state, request.home) : "";
  if (why.empty()) {
    findings.push_back({"home", Health::Ok, {}, {}});
    return;
  }
  findings.push_back({"home", Health::Degraded,
                      why + ": runs get a private home instead of a view of it",
                      "name what runs need of the home with --ro"});
}

}  // namespace shadow::doctor
