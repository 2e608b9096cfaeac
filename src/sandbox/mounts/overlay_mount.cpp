// SPDX-License-Identifier: MIT
#include "sandbox/mounts/overlay_mount.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/layer.hpp"
#include "sandbox/setup/namespaces.hpp"
#include "sandbox/setup/step.hpp"
#include "sys/namespaces/mount.hpp"
#include "sys/namespaces/mountinfo.hpp"

#include <cerrno>

#include <linux/magic.h>
#include <sys/mount.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>

namespace shadow::sandbox {
namespace {

// Descriptors instead of paths: nothing to escape, no length limit, no race. A kernel before 6.13
// takes no descriptor for overlayfs' options and gets its name in /proc instead, in which there is
// nothing to escape either (a comma, a colon and a backslash mean something in these options).
// `path_option` is what every kernel knows: one before 6.5 stores whatever key it is given, as
// text, and refuses it only when the filesystem is created, so that a newer name ("lowerdir+" with
// a path is 6.8) cannot be tried at the key.
void set_directory(sys::NewFilesystem& overlay, const char* descriptor_option,
                   const char* path_option, int fd) {
  if (!overlay.try_set_fd(descriptor_option, fd)) {
    overlay.set_string(path_option, sys::proc_path(fd));
  }
}

// The notes of an overlay on an upper directory, for instance that it hides the one below it, are
// user.* attributes of it. On a filesystem without these the kernel mounts nevertheless, and the
// first process that replaces a directory gets EIO.
bool holds_user_attributes(const std::string& directory) {
  constexpr const char* kName = "user.shadow.probe";
  if (::setxattr(directory.c_str(), kName, "", 0, 0) != 0) {
    return errno != EOPNOTSUPP;
  }
  ::removexattr(directory.c_str(), kName);
  return true;
}

}  // namespace

sys::Fd mount_overlay(int lower, const std::string& layer) {
  const sys::Fd upper = sys::open_path(layer + "/upper", sys::kDirPath);
  const sys::Fd work = sys::open_path(layer + "/work", sys::kDirPath);
  overlay::clear_volatile_marker(work.get());
  overlay::restore_root_mode(upper.get(), lower);
  sys::NewFilesystem filesystem{"overlay"};
  set_directory(filesystem, "lowerdir+", "lowerdir", lower);
  set_directory(filesystem, "upperdir", "upperdir", upper.get());
  set_directory(filesystem, "workdir", "workdir", work.get());
  // Without userxattr the kernel cannot write its marks in a user namespace; without volatile each
  // copy-up waits for the disk (30 times slower over 10 000 files). The upper is synced as a whole
  // after the run instead.
  filesystem.set_flag("userxattr");
  filesystem.set_flag("volatile");
  sys::Fd mount = filesystem.create(MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
  struct statvfs st {};
  // overlayfs falls back to read-only, without an error, when it cannot write to upper or work.
  if (::fstatvfs(mount.get(), &st) != 0 || (st.f_flag & ST_RDONLY) != 0) {
    throw Error{"cannot mount overlay: the kernel made it read-only",
                "check who owns " + shell_quoted(layer)};
  }
  return mount;
}

void check_upper_filesystem(const std::string& path) {
  struct statfs fs {};
  if (::statfs(path.c_str(), &fs) != 0) {
    return;
  }
  constexpr decltype(fs.f_type) kOverlayMagic = OVERLAYFS_SUPER_MAGIC;
  constexpr decltype(fs.f_type) kFuseMagic = FUSE_SUPER_MAGIC;
  constexpr decltype(fs.f_type) kNfsMagic = NFS_SUPER_MAGIC;
  const char* type = fs.f_type == kOverlayMagic ? "overlayfs"
                     : fs.f_type == kFuseMagic  ? "FUSE"
                     : fs.f_type == kNfsMagic   ? "NFS"
                                                : nullptr;
  if (type != nullptr) {
    throw Error{std::string{"cannot keep a session's changes on "} + type + " (" + quoted(path) +
                    "): the kernel takes no overlay upper there",
                "set SHADOW_STATE_DIR to a directory on another filesystem (ext4, xfs, btrfs; "
                "tmpfs works too, but does not outlive a restart)",
                ExitCode::NotStarted};
  }
  if (!holds_user_attributes(path)) {
    throw Error{
        "cannot keep a session's changes in " + quoted(path) +
            ": its filesystem has no user.* attributes, in which an overlay keeps notes (tmpfs has "
            "them since Linux 6.6)",
        "set SHADOW_STATE_DIR to a directory on another filesystem (ext4, xfs, btrfs)",
        ExitCode::NotStarted};
  }
}

void explain_overlay_failure(const std::string& lower, const std::string& layer,
                             const Error& refusal, const char* instead) {
  const std::vector<sys::MountInfo> below = sys::mounts_below(lower);
  if (!below.empty()) {
    throw Error{"cannot make a view of " + quoted(lower) + ": " + quoted(below[0].point) +
                    " is a mount point below it, and the kernel refuses an overlay over it",
                std::string{"unmount it, or "} + instead, ExitCode::NotStarted};
  }
  check_upper_filesystem(layer);
  const auto* system = dynamic_cast<const SysError*>(&refusal);
  const Error named = system != nullptr ? in_step(*system) : refusal;
  throw Error{named.what(), named.hint().empty() ? kAskDoctor : named.hint(), ExitCode::NotStarted};
}

}  // namespace shadow::sandbox
