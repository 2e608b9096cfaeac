// SPDX-License-Identifier: MIT
#include "promote/stage.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/text.hpp"
#include "overlay/look.hpp"
#include "overlay/scan.hpp"
#include "overlay/stable_read.hpp"
#include "sys/beneath.hpp"
#include "sys/file.hpp"
#include "sys/process.hpp"
#include "sys/xattr.hpp"

#include <array>
#include <cerrno>
#include <ctime>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::promote {
namespace {

constexpr const char* kAcl = "system.posix_acl_access";
constexpr std::uint32_t kSetGid = 02000;

// Whose the new entry is: what it replaces, else (only root can tell) what the session made.
void give_owner(int fd, const Step& step, const Row& row) {
  const Entry& like = row.before.exists() ? row.before : step.after;
  struct stat st {};
  if (::fstat(fd, &st) != 0) {
    throw_errno("look at " + quoted(step.path));
  }
  const bool root = ::geteuid() == 0;
  if (root && (st.st_uid != like.uid || st.st_gid != like.gid)) {
    if (::fchownat(fd, "", like.uid, like.gid, AT_EMPTY_PATH) != 0) {
      throw_errno("give " + quoted(step.path) + " its owner");
    }
    return;
  }
  // An ordinary user can give one of its other groups, and only tries: otherwise its own stays.
  if (!root && row.before.exists() && st.st_gid != like.gid &&
      ::fchownat(fd, "", static_cast<uid_t>(-1), like.gid, AT_EMPTY_PATH) != 0) {
    return;
  }
}

void set_mtime(int fd, std::int64_t mtime_ns) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::array<timespec, 2> times{{{0, UTIME_OMIT}, {mtime_ns / kSecond, mtime_ns % kSecond}}};
  if (::utimensat(AT_FDCWD, sys::proc_path(fd).c_str(), times.data(), 0) != 0) {
    throw_errno("set the time of a file");
  }
}

bool settled(const Entry& source, int from, int copy) {
  return !overlay::is_young(source) || overlay::same_content(from, copy);
}

}  // namespace

void Stager::stage(const Step& step, Row& row) {
  switch (step.action) {
    case Action::MakeDirectory:
      make_directory(step, row);
      break;
    case Action::Write:
      write(step, row);
      break;
    case Action::WriteLink:
      write_link(step, row);
      break;
    case Action::HardLink:
      hard_link(step, row);
      break;
    case Action::Delete:
    case Action::RemoveDirectory:
    case Action::SetAttributes:
      return;
  }
  const Entry made = tree_.look(row.staged);
  row.staged_as = {made.ino, made.size, made.mtime_ns};
  staged_by_path_.insert_or_assign(step.path, row.staged);
  SHADOW_FAIL_POINT("staged");
}

sys::Fd Stager::open_source(const Step& step) const {
  // O_NONBLOCK: what was a file when it was reviewed may be a FIFO by now.
  constexpr int kFlags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW;
  sys::Fd fd = sys::try_open_beneath(request_.upper, step.source_path, kFlags);
  if (!fd && errno == EACCES && sys::enter_own_user_namespace()) {
    // A file of the caller's own that its mode keeps it from reading.
    fd = sys::try_open_beneath(request_.upper, step.source_path, kFlags);
  }
  if (!fd) {
    throw_errno("read " + quoted(step.path));
  }
  return fd;
}

// Returns the source's user.* attributes, as long as it is open.
Xattrs Stager::copy_source(const Step& step, int to) const {
  const sys::Fd from = open_source(step);
  constexpr int kMostTries = 3;
  for (int tries = 0; tries < kMostTries; ++tries) {
    const Entry first = overlay::look_fd(from.get());
    const bool reviewed = step.after.ino == 0 || same_state(first, step.after);
    if (first.kind != EntryKind::File || !reviewed) {
      break;
    }
    // Not the first time, when it is empty anyway: ext4 writes a file that was truncated to nothing
    // out as soon as it is closed (auto_da_alloc), which made staging several times slower.
    if (tries > 0 && ::ftruncate(to, 0) != 0) {
      throw_errno("write " + quoted(step.path));
    }
    sys::copy_contents(from.get(), to);
    SHADOW_FAIL_POINT("copied");
    Xattrs xattrs = user_xattrs(from.get());
    if (settled(first, from.get(), to) && same_state(first, overlay::look_fd(from.get()))) {
      return xattrs;
    }
  }
  throw StaleError{"cannot read " + quoted(step.path) + ": it was changed in the session meanwhile",
                   "look at the changes again",
                   ExitCode::Refused,
                   {step.path}};
}

Xattrs Stager::fill(const Step& step, int to) const {
  if (step.bytes) {
    sys::write_all(to, *step.bytes);
    return wanted_xattrs(step);
  }
  if (step.blob.empty()) {
    Xattrs xattrs = copy_source(step, to);
    return step.xattrs ? *step.xattrs : xattrs;
  }
  const sys::Fd from = blobs_.open(step.blob);
  if (!from) {
    throw Error{"cannot write " + quoted(step.path) + ": its earlier content is not kept any more"};
  }
  sys::copy_contents(from.get(), to);
  return wanted_xattrs(step);
}

Xattrs Stager::wanted_xattrs(const Step& step) const {
  if (step.xattrs) {
    return *step.xattrs;
  }
  if (request_.upper < 0 || step.source_path.empty()) {
    return {};
  }
  return user_xattrs(sys::open_beneath(request_.upper, step.source_path, O_PATH).get());
}

// Owner, attributes, ACL, mode and time, in the order in which none undoes another: chown(2) clears
// bits of the mode, and an ACL brings a mode of its own.
void Stager::dress(const Step& step, int fd, const Row& row, const Xattrs& xattrs) {
  give_owner(fd, step, row);
  if (row.before.kind == row.after.kind) {
    if (!tree_.look(step.path).exists()) {
      throw_conflict({step.path});  // deleted since it was looked at
    }
    if (const auto acl = sys::get_xattr(tree_.node(step.path).get(), kAcl)) {
      sys::set_xattr(fd, kAcl, *acl);
    }
  }
  if (row.after.kind == EntryKind::File || row.after.kind == EntryKind::Directory) {
    set_user_xattrs(fd, xattrs);
  }
  const std::uint32_t work = row.after.kind == EntryKind::Directory ? kOwnerAll : 0;
  const mode_t mode = row.after.mode | work;
  // fchmod(2) refuses descriptors of O_PATH.
  if (::fchmod(fd, mode) != 0 &&
      (errno != EBADF || ::chmod(sys::proc_path(fd).c_str(), mode) != 0)) {
    throw_errno("change the mode of " + quoted(step.path));
  }
  if (request_.keep_mtime && step.after.mtime_ns != 0) {
    set_mtime(fd, step.after.mtime_ns);
  }
}

void Stager::write(const Step& step, Row& row) {
  const Place at = tree_.place(row.staged);
  const sys::Fd fd =
      sys::open_at(at.fd(), at.name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  SHADOW_FAIL_POINT("created");
  const Xattrs xattrs = fill(step, fd.get());
  row.after_hash = to_hex(store::hash_file(fd.get()));
  if (!step.blob.empty() && !step.bytes &&
      step.blob.compare(0, row.after_hash.size(), row.after_hash) != 0) {
    throw Error{"cannot write " + quoted(step.path) + ": its earlier content is damaged"};
  }
  dress(step, fd.get(), row, xattrs);
}

void Stager::write_link(const Step& step, Row& row) {
  const Place at = tree_.place(row.staged);
  const mode_t type = row.after.kind == EntryKind::Fifo ? S_IFIFO : S_IFSOCK;
  const int made = row.after.kind == EntryKind::Symlink
                       ? ::symlinkat(row.after.target.c_str(), at.fd(), at.name.c_str())
                       : ::mknodat(at.fd(), at.name.c_str(), type | S_IRUSR | S_IWUSR, 0);
  if (made != 0) {
    throw_errno("make " + quoted(step.path));
  }
  SHADOW_FAIL_POINT("created");
  const sys::Fd fd = tree_.node(row.staged);
  if (row.after.kind == EntryKind::Symlink) {
    give_owner(fd.get(), step, row);  // a symlink has no mode and no user.* attributes
  } else {
    dress(step, fd.get(), row, {});
  }
}

void Stager::make_directory(const Step& step, Row& row) {
  const Place at = tree_.place(row.staged);
  if (::mkdirat(at.fd(), at.name.c_str(), S_IRWXU) != 0) {
    throw_errno("make directory " + quoted(step.path));
  }
  SHADOW_FAIL_POINT("created");
  const sys::Fd fd = tree_.node(row.staged);
  // A setgid bit that the parent hands down is the project's own way, not something brought in.
  row.after.mode |= overlay::look_fd(fd.get()).mode & step.after.mode & kSetGid;
  dress(step, fd.get(), row, wanted_xattrs(step));
}

bool Stager::link_to(const std::string& from, const Row& row) {
  const Place source = tree_.place(from);
  const Place at = tree_.place(row.staged);
  if (::linkat(source.fd(), source.name.c_str(), at.fd(), at.name.c_str(), 0) == 0) {
    return true;
  }
  // Too many links, a file of another owner, no links here: two files instead of one.
  if (errno == EMLINK || errno == EPERM || errno == EXDEV || errno == EOPNOTSUPP) {
    return false;
  }
  throw_errno("link " + quoted(row.path));
}

void Stager::hard_link(const Step& step, Row& row) {
  const auto staged = staged_by_path_.find(step.link_to);
  if (staged != staged_by_path_.end()) {
    if (!link_to(staged->second, row)) {
      write(step, row);
      return;
    }
  } else {
    // A real file that the apply leaves as it is, unless it holds something else by now (or the
    // change to it was not chosen).
    const sys::Fd source = open_source(step);
    const sys::Fd real = sys::try_open_beneath(tree_.root(), step.link_to, O_RDONLY | O_NONBLOCK);
    const bool same = real && overlay::look_fd(real.get()).kind == EntryKind::File &&
                      overlay::same_content(source.get(), real.get());
    if (!same || !link_to(step.link_to, row)) {
      write(step, row);
      return;
    }
    if (tree_.look(row.staged).ino != overlay::look_fd(real.get()).ino) {
      throw_conflict({step.link_to});  // it was replaced after the comparison
    }
  }
  SHADOW_FAIL_POINT("created");
  const Place at = tree_.place(row.staged);
  const sys::Fd fd = sys::open_at(at.fd(), at.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  row.after_hash = to_hex(store::hash_file(fd.get()));
  row.after.mode = overlay::look_fd(fd.get()).mode;
}

}  // namespace shadow::promote
