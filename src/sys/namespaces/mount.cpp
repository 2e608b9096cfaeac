// SPDX-License-Identifier: MIT
#include "sys/namespaces/mount.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"

#include <array>
#include <cerrno>

#include <sys/mount.h>
#include <unistd.h>

namespace shadow::sys {

NewFilesystem::NewFilesystem(const char* type)
    : type_{type}, context_{::fsopen(type, FSOPEN_CLOEXEC)} {
  if (!context_) {
    throw_errno("use the filesystem " + type_);
  }
}

void NewFilesystem::fail(const std::string& doing) const {
  const int error = errno;
  std::array<char, 512> log{};
  std::string detail;
  // One message a read, "e ", "w " or "i " before it; the last one is of this failure, those before
  // it may be of options that were only tried.
  for (ssize_t length = 0; (length = ::read(context_.get(), log.data(), log.size())) > 2;) {
    const std::string_view text{log.data() + 2, static_cast<std::size_t>(length) - 2};
    detail = " (" + printable(trimmed(text)) + ")";
  }
  throw SysError{error, doing + detail};
}

void NewFilesystem::set_flag(const char* name) {
  if (::fsconfig(context_.get(), FSCONFIG_SET_FLAG, name, nullptr, 0) != 0) {
    fail("mount " + type_ + " with " + name);
  }
}

void NewFilesystem::set_string(const char* name, const std::string& value) {
  if (!try_set_string(name, value)) {
    fail("mount " + type_ + " with " + name + "=" + printable(value));
  }
}

bool NewFilesystem::try_set_string(const char* name, const std::string& value) {
  return ::fsconfig(context_.get(), FSCONFIG_SET_STRING, name, value.c_str(), 0) == 0;
}

bool NewFilesystem::try_set_fd(const char* name, int fd) {
  return ::fsconfig(context_.get(), FSCONFIG_SET_FD, name, nullptr, fd) == 0;
}

Fd NewFilesystem::create(std::uint64_t attributes) {
  if (::fsconfig(context_.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0) {
    fail("mount " + type_);
  }
  Fd mount{::fsmount(context_.get(), FSMOUNT_CLOEXEC, static_cast<unsigned>(attributes))};
  if (!mount) {
    fail("mount " + type_);
  }
  return mount;
}

Fd try_clone_mount(int dirfd, const std::string& path, Recursive recursive) {
  unsigned flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC;
  if (recursive == Recursive::Yes) {
    flags |= AT_RECURSIVE;
  }
  if (path.empty()) {
    flags |= AT_EMPTY_PATH;
  }
  return Fd{::open_tree(dirfd, path.c_str(), flags)};
}

Fd clone_mount(int dirfd, const std::string& path, Recursive recursive) {
  Fd mount = try_clone_mount(dirfd, path, recursive);
  if (!mount) {
    throw_errno("bind " + quoted(path));
  }
  return mount;
}

void attach_mount(int mount, int target, const std::string& shown) {
  if (::move_mount(mount, "", target, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) != 0) {
    throw_errno("mount on " + quoted(shown));
  }
}

void change_mount(int dirfd, const std::string& path, std::uint64_t set, std::uint64_t clear,
                  Recursive recursive) {
  struct mount_attr attributes {};
  attributes.attr_set = set;
  attributes.attr_clr = clear;
  unsigned flags = path.empty() ? AT_EMPTY_PATH : AT_SYMLINK_NOFOLLOW;
  if (recursive == Recursive::Yes) {
    flags |= AT_RECURSIVE;
  }
  if (::mount_setattr(dirfd, path.c_str(), flags, &attributes, sizeof attributes) != 0) {
    throw_errno("change the mount at " + quoted(path));
  }
}

void make_mounts_private() {
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    throw_errno("make mounts private");
  }
}

void refresh_mount(int root, const std::string& shown) {
  const Fd picked{::fspick(root, "", FSPICK_EMPTY_PATH | FSPICK_CLOEXEC)};
  if (!picked || ::fsconfig(picked.get(), FSCONFIG_CMD_RECONFIGURE, nullptr, nullptr, 0) != 0) {
    throw_errno("refresh the view at " + quoted(shown));
  }
}

}  // namespace shadow::sys
