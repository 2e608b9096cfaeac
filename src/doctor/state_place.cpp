// SPDX-License-Identifier: MIT
#include "doctor/state_place.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sandbox/overlay_mount.hpp"
#include "sandbox/refusal.hpp"
#include "sys/mountinfo.hpp"
#include "sys/process.hpp"

#include <cstdlib>
#include <vector>

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

namespace shadow {
namespace {

bool in_memory(const std::string& path) {
  struct statfs fs {};
  constexpr decltype(fs.f_type) kTmpfs = TMPFS_MAGIC;
  constexpr decltype(fs.f_type) kRamfs = RAMFS_MAGIC;
  return ::statfs(path.c_str(), &fs) == 0 && (fs.f_type == kTmpfs || fs.f_type == kRamfs);
}

// Found by making a directory there.
bool will_do(const std::string& parent) {
  std::string scratch = parent + "/shadow-doctor-XXXXXX";
  if (::mkdtemp(scratch.data()) == nullptr) {
    return false;
  }
  bool suits = true;
  try {
    sandbox::check_upper_filesystem(scratch);
  } catch (const Error&) {
    suits = false;
  }
  ::rmdir(scratch.c_str());
  return suits;
}

struct Place {
  std::string parent;  // is there
  std::string state;   // would be made below it
};

// Where users may write as a rule, and then whatever real filesystem is mounted.
std::vector<Place> places() {
  std::vector<Place> all;
  const auto add = [&](const std::string& parent) {
    all.push_back({parent, parent + "/shadow-state-" + std::to_string(::geteuid())});
  };
  if (const auto home = sys::environment("HOME"); home && home->starts_with('/')) {
    all.push_back({*home, *home + "/.local/state/shadow"});
  }
  add("/var/tmp");
  for (const sys::MountInfo& mount : sys::read_mountinfo()) {
    struct stat st {};
    const bool lasting = mount.type == "ext4" || mount.type == "xfs" || mount.type == "btrfs";
    if (lasting && ::stat(mount.point.c_str(), &st) == 0 && S_ISDIR(st.st_mode)) {
      add(mount.point == "/" ? "" : mount.point);
    }
  }
  add("/tmp");
  add("/dev/shm");
  add("/run/user/" + std::to_string(::geteuid()));
  return all;
}

std::string volume_for(const std::string& state) {
  const std::string at = shell_quoted(state);
  switch (sandbox::look_around().container) {
    case sandbox::Container::Docker:
      return "start the container with: docker run -v shadow-state:" + at;
    case sandbox::Container::Podman:
      return "start the container with: podman run -v shadow-state:" + at;
    case sandbox::Container::Kubernetes:
      return "mount a persistentVolumeClaim, or an emptyDir, at " + at;
    case sandbox::Container::None:
      break;
  }
  return {};
}

std::string set_to(const Place& place) {
  return "export SHADOW_STATE_DIR=" + shell_quoted(place.state);
}

}  // namespace

std::string mend_of_state(const std::string& state) {
  std::string until_restart;
  for (const Place& place : places()) {
    if (place.state == state || !will_do(place.parent)) {
      continue;
    }
    if (!in_memory(place.parent)) {
      return set_to(place);
    }
    if (until_restart.empty()) {
      until_restart = set_to(place) + "  # in memory: gone after a restart";
    }
  }
  const std::string volume = volume_for(state);
  if (in_memory(state)) {
    until_restart.clear();  // it is there already
  }
  if (volume.empty() && until_restart.empty()) {
    return "mount a filesystem for it (ext4, xfs, btrfs) and set SHADOW_STATE_DIR to a directory "
           "there";
  }
  return volume + (volume.empty() || until_restart.empty() ? "" : "\nor\n") + until_restart;
}

}  // namespace shadow
