// SPDX-License-Identifier: MIT
#include "sandbox/mounts/state_place.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "policy/config.hpp"
#include "sandbox/mounts/overlay_mount.hpp"
#include "sandbox/setup/refusal.hpp"
#include "sys/namespaces/mountinfo.hpp"
#include "sys/processes/process.hpp"

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <vector>

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

constexpr const char* kSharedMemory = "/dev/shm";

decltype(statfs::f_type) filesystem_of(const std::string& path) {
  struct statfs fs {};
  return ::statfs(path.c_str(), &fs) == 0 ? fs.f_type : 0;
}

bool in_memory(const std::string& path) {
  constexpr decltype(statfs::f_type) kTmpfs = TMPFS_MAGIC;
  constexpr decltype(statfs::f_type) kRamfs = RAMFS_MAGIC;
  return filesystem_of(path) == kTmpfs || filesystem_of(path) == kRamfs;
}

// Found by making a directory there.
bool will_do(const std::string& parent) {
  std::string scratch = parent + "/shadow-doctor-XXXXXX";
  if (::mkdtemp(scratch.data()) == nullptr) {
    return false;
  }
  bool suits = true;
  try {
    check_upper_filesystem(scratch);
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

std::string state_in_home(const std::string& home) {
  return home + "/.local/state/shadow";
}

std::string state_of_user(const std::string& parent) {
  return parent + "/shadow-state-" + std::to_string(::geteuid());
}

// Directories where users can usually write, then other mounted real filesystems; in a container
// the latter would be what it was given to work on, and are left out.
std::vector<Place> places(bool in_container) {
  std::vector<Place> all;
  if (const auto home = sys::environment("HOME"); home && home->starts_with('/')) {
    all.push_back({*home, state_in_home(*home)});
  }
  all.push_back({"/var/tmp", state_of_user("/var/tmp")});
  for (const sys::MountInfo& mount : sys::read_mountinfo()) {
    struct stat st {};
    const bool lasting = mount.type == "ext4" || mount.type == "xfs" || mount.type == "btrfs";
    if (!in_container && lasting && ::stat(mount.point.c_str(), &st) == 0 && S_ISDIR(st.st_mode)) {
      const std::string parent = mount.point == "/" ? "" : mount.point;
      all.push_back({parent, state_of_user(parent)});
    }
  }
  return all;
}

// Docker's volumes are root's unless the image has the directory; Podman's U gives it to the user.
// In place of a state in memory comes the usual one.
std::string volume_for(const std::string& wanted, Container container) {
  const std::optional<std::string> home = sys::environment("HOME");
  const bool move = is_state_in_memory(wanted) && home && home->starts_with('/');
  const std::string state = move ? state_in_home(*home) : wanted;
  const std::string at = shell_quoted(state);
  if (container == Container::Kubernetes) {
    return "mount a persistentVolumeClaim, or an emptyDir, at " + at;
  }
  std::string lines =
      move ? "unset SHADOW_STATE_DIR (or state_dir), and give the container a volume:"
           : "give the container a volume there:";
  if (container != Container::Podman) {
    lines += "\n  docker run -v shadow-state:" + at;
  }
  if (container != Container::Docker) {
    lines += "\n  podman run -v shadow-state:" + at + ":U";
  }
  lines += "\n  devcontainer.json: \"mounts\": [\"source=shadow-state,target=" + state +
           ",type=volume\"]";
  if (::geteuid() != 0 && container != Container::Podman) {
    lines += "\nand once, as the volume is root's at first:\n  " + give_to_caller(state);
  }
  return lines;
}

std::string set_to(const std::string& state) {
  return "export SHADOW_STATE_DIR=" + shell_quoted(state);
}

}  // namespace

std::string state_in_memory() {
  if (!in_memory(kSharedMemory)) {
    throw Error{"cannot keep the state in memory: " + quoted(kSharedMemory) + " is no tmpfs",
                "set SHADOW_STATE_DIR to a directory on one"};
  }
  return state_of_user(kSharedMemory);
}

bool is_state_in_memory(const std::string& state) {
  return state == state_of_user(kSharedMemory);
}

std::string give_to_caller(const std::string& directory) {
  return "sudo chown " + std::to_string(::geteuid()) + ":" + std::to_string(::getegid()) + " " +
         shell_quoted(directory);
}

std::string advice_on_state(const std::string& state) {
  const Container container = look_around().container;
  constexpr decltype(statfs::f_type) kOverlay = OVERLAYFS_SUPER_MAGIC;
  const bool in_container = container != Container::None || filesystem_of("/") == kOverlay;
  for (const Place& place : places(in_container)) {
    if (place.state != state && !in_memory(place.parent) && will_do(place.parent)) {
      return set_to(place.state);
    }
  }
  const bool memory = !in_memory(state) && in_memory(kSharedMemory) && will_do(kSharedMemory);
  if (in_container) {
    return volume_for(state, container) +
           (memory
                ? "\nor start at once, in memory, where all sessions end with the container:\n  " +
                      set_to(policy::kStateInMemory)
                : "");
  }
  return memory ? set_to(policy::kStateInMemory) + "  # in memory: gone after a restart"
                : "mount a filesystem for it (ext4, xfs, btrfs) and set SHADOW_STATE_DIR to a "
                  "directory there";
}

std::string hint_on_room(const Error& error, const std::string& state) {
  const auto* system = dynamic_cast<const SysError*>(&error);
  const bool full =
      system != nullptr && (system->errno_value() == ENOSPC || system->errno_value() == EDQUOT);
  return full && error.hint().empty() ? "make room on the filesystem of " + quoted(state) +
                                            ", or drop what a session wrote: shadow discard --yes"
                                      : error.hint();
}

void check_state_place(const std::string& state) {
  try {
    check_upper_filesystem(state);
  } catch (const Error& error) {
    throw Error{error.what(), advice_on_state(state), ExitCode::NotStarted};
  }
}

}  // namespace shadow::sandbox
