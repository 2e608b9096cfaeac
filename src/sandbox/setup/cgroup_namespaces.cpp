// SPDX-License-Identifier: MIT
#include "sandbox/setup/cgroup_namespaces.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <cerrno>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::sandbox {
namespace {

constexpr std::string_view kRoot = "/sys/fs/cgroup";

// The usual mount points of the hierarchy of a line of /proc/PID/cgroup ("ID:CONTROLLERS:PATH");
// none for an invalid line. A line of version 2 has no controllers; its hierarchy lies below the
// others where both are in use.
struct Membership {
  std::vector<std::string> mounts;
  std::string path;
};
std::optional<Membership> read_line(std::string_view line) {
  const std::size_t first = line.find(':');
  const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
  if (second == std::string_view::npos) {
    return std::nullopt;
  }
  std::string_view controllers = line.substr(first + 1, second - first - 1);
  Membership found{{}, std::string{line.substr(second + 1)}};
  const std::string root{kRoot};
  if (controllers.empty()) {
    found.mounts = {root + "/unified", root};
  } else {
    constexpr std::string_view kNamed = "name=";
    if (controllers.starts_with(kNamed)) {
      controllers.remove_prefix(kNamed.size());
    }
    found.mounts = {root + "/" + std::string{controllers}};
  }
  return found;
}

std::optional<GroupDirectory> find_group(const Membership& membership, const FindGroup& find) {
  for (const std::string& mount : membership.mounts) {
    // The root of a hierarchy ends in "/".
    const std::string path = membership.path == "/" ? mount : mount + membership.path;
    if (auto group = find(path)) {
      return group;
    }
  }
  return std::nullopt;
}

bool writable(const GroupDirectory& group, uid_t caller) {
  constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;
  return group.owner == caller || (group.mode & kOthersWrite) != 0 || !group.leaf;
}

std::optional<GroupDirectory> look(const std::string& path) {
  struct stat st {};
  if (::lstat(path.c_str(), &st) != 0 || !S_ISDIR(st.st_mode)) {
    return std::nullopt;
  }
  constexpr nlink_t kEmpty = 2;  // kernfs counts a directory's own as every filesystem does
  return GroupDirectory{st.st_uid, st.st_mode, st.st_nlink == kEmpty};
}

}  // namespace

bool may_write_own_groups(std::string_view membership, uid_t caller, const FindGroup& find) {
  const std::vector<std::string> lines = split(std::string{membership}, '\n');
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
    if (line.empty()) {
      return false;
    }
    const auto own = read_line(line);
    const auto group = own ? find_group(*own, find) : std::nullopt;
    return !group || writable(*group, caller);
  });
}

bool may_write_own_groups(const CallerIds& ids) {
  const auto membership = sys::read_file_at(AT_FDCWD, "/proc/self/cgroup");
  return membership &&  // else it is a kernel without control groups
         (ids.root() || may_write_own_groups(*membership, ids.uid, look));
}

void forbid_cgroup_namespaces() {
  // The sysctl counts for this user namespace and all below it (ucounts, Linux 4.9).
  const sys::Fd most = sys::try_open_at(AT_FDCWD, "/proc/sys/user/max_cgroup_namespaces", O_WRONLY);
  if (!most && errno == ENOENT) {
    return;
  }
  if (!most) {
    throw_errno("forbid control group namespaces");
  }
  sys::write_all(most.get(), "0");
}

}  // namespace shadow::sandbox
