// SPDX-License-Identifier: MIT
#include "overlay/write/writable.hpp"

#include "shadow/entry.hpp"
#include "shadow/error.hpp"

#include "sys/files/fd.hpp"

#include <fcntl.h>

namespace shadow::overlay {
namespace {}  // namespace

Writable::Writable(int dirfd) : dirfd_{dirfd} {
  struct stat st {};
  if (::fstat(dirfd, &st) != 0) {
    throw_errno("look at a directory");
  }
  times_ = {st.st_atim, st.st_mtim};
  mode_ = st.st_mode & kPermissionBits;
  constexpr mode_t kNeeded = S_IWUSR | S_IXUSR;
  if ((mode_ & kNeeded) != kNeeded) {
    // fchmod refuses O_PATH descriptors; through /proc it reaches exactly this inode. Whether it
    // was enough is seen by the call that needs it.
    mode_changed_ = ::chmod(sys::proc_path(dirfd).c_str(), mode_ | kNeeded) == 0;
  }
}

Writable::~Writable() {
  const std::string path = sys::proc_path(dirfd_);
  if (mode_changed_) {
    (void)::chmod(path.c_str(), mode_);
  }
  (void)::utimensat(AT_FDCWD, path.c_str(), times_.data(), 0);
}

}  // namespace shadow::overlay
