// SPDX-License-Identifier: MIT
#include "overlay/write/rewrite.hpp"

#include "shadow/error.hpp"

#include "base/posix_acl.hpp"
#include "base/text.hpp"
#include "overlay/format/format.hpp"
#include "overlay/write/writable.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/file.hpp"
#include "sys/files/xattr.hpp"
#include "sys/namespaces/acl.hpp"

#include <cerrno>
#include <cstdio>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::overlay {
namespace {

constexpr const char* kOrigin = "user.overlay.origin";

constexpr const char* kRewritten = "rewritten";

// A new file outside of the layer, which is gone again unless it was put in place. Who was killed
// before that leaves it there, where no view shows it, for the next one to remove.
class Staged {
 public:
  explicit Staged(int dirfd) : dirfd_{dirfd} {
    if (::unlinkat(dirfd, kRewritten, 0) != 0 && errno != ENOENT) {
      throw_errno("remove an old file beside the session's layer");
    }
    fd_ =
        sys::open_at(dirfd, kRewritten, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  }
  Staged(const Staged&) = delete;
  Staged(Staged&&) = delete;
  Staged& operator=(const Staged&) = delete;
  Staged& operator=(Staged&&) = delete;
  ~Staged() {
    if (!placed_) {
      (void)::unlinkat(dirfd_, kRewritten, 0);
    }
  }

  [[nodiscard]] int fd() const { return fd_.get(); }

  void replace(int dirfd, const std::string& name) {
    // Its data first: a name that leads to an empty file after a crash would lose both versions.
    if (::fsync(fd_.get()) != 0 || ::renameat(dirfd_, kRewritten, dirfd, name.c_str()) != 0) {
      throw_errno("replace " + quoted(name) + " in the session");
    }
    placed_ = true;
  }

 private:
  int dirfd_;
  sys::Fd fd_;
  bool placed_ = false;
};

// Owner, attributes, ACL, mode: chown(2) clears bits of the mode, an ACL brings a mode of its own.
void dress(int fd, int old, const NewContent& content) {
  struct stat st {};
  if (::fstat(old, &st) != 0) {
    throw_errno("look at a file");
  }
  if (::geteuid() == 0 && ::fchown(fd, st.st_uid, static_cast<gid_t>(-1)) != 0 && errno != EPERM &&
      errno != EINVAL) {
    throw_errno("give a file its owner");
  }
  (void)sys::give_group(fd, sys::group_of(old));
  const Attributes wanted = attributes_of(content.attributes_of);
  for (const auto& [name, value] : wanted.user) {
    const bool escaped = name.starts_with(kOwnAttributes);
    sys::set_xattr(fd, escaped ? std::string{kOwnAttributes} + name.substr(5) : name, value);
  }
  if (const auto origin = sys::get_xattr(old, kOrigin)) {
    sys::set_xattr(fd, kOrigin, *origin);
  }
  if (wanted.access_acl) {
    sys::set_acl(fd, sys::kAccessAcl, acl_with_mode(*wanted.access_acl, content.mode));
  }
  if (::fchmod(fd, content.mode) != 0) {
    throw_errno("set the mode of a file");
  }
}

}  // namespace

void rewrite(const Rewritable& layer, const std::string& path, const NewContent& content) {
  const sys::SplitPath parts = sys::split_path(path);
  const std::string name{parts.name};
  const sys::Fd dir = sys::open_beneath(layer.upper, parts.parent, O_PATH | O_DIRECTORY);
  const sys::Fd old = sys::open_at(dir.get(), name, O_PATH | O_NOFOLLOW);
  const Writable writable{dir.get()};
  Staged staged{layer.staging};
  sys::write_all(staged.fd(), content.bytes);
  dress(staged.fd(), old.get(), content);
  staged.replace(dir.get(), name);
}

}  // namespace shadow::overlay
