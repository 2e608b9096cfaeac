// SPDX-License-Identifier: MIT
#include "overlay/format/layer.hpp"

#include "shadow/entry.hpp"
#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/attributes.hpp"
#include "overlay/format/look.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"

#include <array>
#include <cerrno>
#include <cstdio>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::overlay {
namespace {

// Renamed into place when it is complete, so that an interrupted start leaves no root with a wrong
// mode behind.
void create_upper(int layer, int lower, RootOwner owner) {
  constexpr const char* kUpper = "upper";
  constexpr const char* kUnfinished = "upper.new";
  if (look_at(layer, kUpper).exists()) {
    return;
  }
  sys::remove_tree(layer, kUnfinished);
  const sys::Fd made = sys::make_dirs(layer, kUnfinished, S_IRWXU);
  if (owner == RootOwner::Lower && ::geteuid() == 0) {
    copy_owner(lower, made.get());
  }
  copy_attributes(lower, made.get());
  if (::renameat(layer, kUnfinished, layer, kUpper) != 0) {
    throw_errno("make directory " + quoted(kUpper));
  }
}

constexpr const char* kWork = "work";
constexpr const char* kIncompat = "work/incompat";
constexpr const char* kVolatile = "work/incompat/volatile";
constexpr const char* kDirty = "work/incompat/volatile/dirty";

bool is_marked(int work) {
  if (::faccessat(work, kIncompat, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
    return true;
  }
  if (errno == EACCES) {
    // The kernel makes these directories with mode 0.
    for (const char* name : {kWork, kIncompat, kVolatile}) {
      if (::fchmodat(work, name, S_IRWXU, 0) != 0) {
        break;
      }
    }
    return ::faccessat(work, kIncompat, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
  }
  return false;
}

}  // namespace

void create_layer(int dirfd, const std::string& name, int lower, RootOwner owner) {
  const sys::Fd layer = sys::make_dirs(dirfd, name, S_IRWXU);
  create_upper(layer.get(), lower, owner);
  sys::make_dirs(layer.get(), kWork, S_IRWXU);
}

void restore_root_mode(int upper, int lower) {
  struct stat wanted {};
  struct stat found {};
  if (::fstat(lower, &wanted) != 0 || ::fstat(upper, &found) != 0) {
    throw_errno("look at the root of a layer");
  }
  const mode_t mode = wanted.st_mode & kPermissionBits;
  // fchmod refuses O_PATH descriptors; through /proc it reaches exactly this inode.
  if ((found.st_mode & kPermissionBits) != mode &&
      ::chmod(sys::proc_path(upper).c_str(), mode) != 0) {
    throw_errno("change the mode of a layer's root");
  }
}

void clear_volatile_marker(int work) {
  if (!is_marked(work)) {
    return;
  }
  struct Step {
    const char* name;
    int flags;
  };
  // Every one of them, also when the first is gone already: the kernel refuses for the directory.
  constexpr std::array<Step, 3> kSteps{
      {{kDirty, 0}, {kVolatile, AT_REMOVEDIR}, {kIncompat, AT_REMOVEDIR}}};
  for (const Step& step : kSteps) {
    if (::unlinkat(work, step.name, step.flags) != 0 && errno != ENOENT) {
      throw_errno("clear the mark of the last mount");
    }
  }
}

}  // namespace shadow::overlay
