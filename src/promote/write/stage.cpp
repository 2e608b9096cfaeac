// SPDX-License-Identifier: MIT
#include "promote/write/stage.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/hash.hpp"
#include "base/posix_acl.hpp"
#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/stable_read.hpp"
#include "promote/journal/attributes.hpp"
#include "promote/repository/git_owner.hpp"
#include "promote/write/as_shown.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/file.hpp"
#include "sys/files/quiet_open.hpp"
#include "sys/files/same_content.hpp"
#include "sys/namespaces/acl.hpp"
#include "sys/namespaces/own_namespace.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::promote {
namespace {

constexpr std::uint32_t kSetGid = 02000;

// Up to this size a file is copied through memory: fewer calls, and the hash needs no second look.
constexpr std::uint64_t kSmall = 1U << 16U;

[[noreturn]] void throw_stale(const std::string& path) {
  throw StaleError{"cannot read " + quoted(path) + ": it was changed in the session meanwhile",
                   "look at the changes again",
                   ExitCode::Refused,
                   {path}};
}

// Sets the owner of the new entry: that of the entry which it replaces or restores, or else (only
// for root) that of the session's entry, in a git directory of the directory around it. An ordinary
// user's new entry has the group that its directory gives it. False if it has another group than it
// should.
bool give_owner(int fd, const Step& step, const Row& row, const Place& at) {
  const bool replaces = row.before.exists() && !step.restores;
  const Entry& like = replaces ? row.before : step.after;
  if (::geteuid() != 0) {
    return (!replaces && !step.restores) || sys::give_group(fd, like.gid);
  }
  if (!replaces && !step.restores && is_of_git_dir(step.path)) {
    own_as(at.fd(), fd);
    return true;
  }
  struct stat st {};
  if (::fstat(fd, &st) != 0) {
    throw_errno("look at " + quoted(step.path));
  }
  if ((st.st_uid != like.uid || st.st_gid != like.gid) &&
      ::fchownat(fd, "", like.uid, like.gid, AT_EMPTY_PATH) != 0) {
    throw_errno("give " + quoted(step.path) + " its owner");
  }
  return true;
}

void set_mtime(int fd, std::int64_t mtime_ns) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  // Before 1970 the nanoseconds still count forward (utimensat(2)).
  const std::int64_t rest = (mtime_ns % kSecond + kSecond) % kSecond;
  const std::array<timespec, 2> times{{{0, UTIME_OMIT}, {(mtime_ns - rest) / kSecond, rest}}};
  if (::utimensat(AT_FDCWD, sys::proc_path(fd).c_str(), times.data(), 0) != 0) {
    throw_errno("set the time of a file");
  }
}

bool settled(const Entry& source, int from, int copy) {
  return !overlay::is_young(source) || sys::same_content(from, copy);
}

}  // namespace

Stager::Stager(Tree& tree, const ApplySite& site, const ApplyPlan& plan,
               const ApplyRequest& request, const Journal& journal)
    : tree_{tree},
      blobs_{site.state},
      pre_images_{site.state},
      request_{request},
      journal_{journal} {
  const std::vector<Step>& steps = plan.steps;
  const bool links = std::any_of(steps.begin(), steps.end(),
                                 [](const Step& step) { return step.action == Action::HardLink; });
  for (std::size_t index = 0; links && index < steps.size(); ++index) {
    if (steps[index].action == Action::Write || steps[index].action == Action::WriteLink) {
      staged_by_path_.emplace(steps[index].path, index);
    }
  }
  become_able_to_read(steps);
}

// Some of the caller's own files may have a mode that forbids reading. This must happen before the
// threads start: only a process of one thread can enter a user namespace (unshare(2)).
void Stager::become_able_to_read(const std::vector<Step>& steps) const {
  const auto closed = std::find_if(steps.begin(), steps.end(), [](const Step& step) {
    return step.after.kind == EntryKind::File && step.from_session &&
           (step.after.mode & S_IRUSR) == 0;
  });
  if (closed != steps.end() && !try_open_source(*closed) && errno == EACCES) {
    (void)sys::enter_own_user_namespace();
  }
}

// Checks the copy, not its source, which may change at any moment without a new time: a run can
// write to a page that it has mapped.
void Stager::check_shown(const Step& step, const Xattrs& attributes, int made) {
  if (!is_as_shown(step, tree_.root(), attributes, [made] { return shown_digest(made); })) {
    const std::lock_guard lock{lock_};
    unseen_.insert(step.path);
  }
}

// So may the part of it by which it was found to run nothing.
void Stager::check_judged(const Step& step, int made) {
  if (step.judged.empty()) {
    return;
  }
  const auto content = shown_digest(made);
  if (!content || as_bytes(*content) != step.judged.str()) {
    throw_stale(step.path);
  }
}

const Xattrs& Stager::attributes_of(const Step& step) const {
  static const Xattrs none;
  const auto found = attributes_.find(&step);
  return found == attributes_.end() ? none : found->second;
}

void Stager::require_as_shown() const {
  if (!unseen_.empty()) {
    throw UnseenError{"cannot write " + quoted(*unseen_.begin()) + ": it is not what was shown",
                      "look at the changes again",
                      ExitCode::Refused,
                      {unseen_.begin(), unseen_.end()}};
  }
}

void Stager::stage(const Step& step, Row& row) {
  switch (step.action) {
    case Action::MakeDirectory:
    case Action::Write:
    case Action::WriteLink:
    case Action::HardLink:
      break;
    case Action::SetAttributes: {
      Xattrs wanted = wanted_attributes(request_, step, row);
      row.after.mode = mode_with(wanted, row);
      check_shown(step, wanted);
      if (!wanted.empty()) {
        const std::lock_guard lock{lock_};
        attributes_.emplace(&step, std::move(wanted));
      }
      return;
    }
    case Action::Delete:
    case Action::RemoveDirectory:
      check_shown(step, {});
      return;
  }
  const Place at = tree_.place(row.staged);
  if (step.action == Action::MakeDirectory) {
    make_directory(step, at, row);
  } else if (step.action == Action::Write) {
    write(step, at, row);
  } else if (step.action == Action::WriteLink) {
    write_link(step, at, row);
  } else {
    hard_link(step, at, row);
    staged_by_path_.emplace(step.path,
                            static_cast<std::size_t>(row.ord) - journal_.relaxed().size());
  }
  const Entry made = Tree::look(at);
  row.staged_as = {made.ino, made.size, made.mtime_ns};
  SHADOW_FAIL_POINT("staged");
}

sys::Fd Stager::try_open_source(const Step& step) const {
  // O_NONBLOCK: what was a file when it was reviewed may be a FIFO by now.
  constexpr int kFlags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW;
  if (step.source_fd >= 0) {
    return sys::duplicate(step.source_fd);
  }
  return sys::try_open_quietly(request_.upper, step.path, kFlags);
}

sys::Fd Stager::open_source(const Step& step) const {
  sys::Fd fd = try_open_source(step);
  if (!fd && sys::is_missing(errno)) {
    throw_stale(step.path);
  }
  if (!fd) {
    throw_errno("read " + quoted(step.path));
  }
  return fd;
}

Stager::Content Stager::copy_source(const Step& step, const Row& row, int to) const {
  const sys::Fd from = open_source(step);
  if (step.after.ino != 0 && step.after.size <= kSmall) {
    Xattrs xattrs =
        attributes_from(from.get(), row);  // before: the looks of the reading cover them, too
    const auto bytes = overlay::read_stable(from.get(), step.after, kSmall);
    if (!bytes) {
      throw_stale(step.path);
    }
    sys::write_all(to, *bytes);
    SHADOW_FAIL_POINT("copied");
    return {std::move(xattrs), to_hex(hash_bytes(*bytes))};
  }
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
    Xattrs xattrs = attributes_from(from.get(), row);
    if (settled(first, from.get(), to) && same_state(first, overlay::look_fd(from.get()))) {
      return {std::move(xattrs), {}};
    }
  }
  throw_stale(step.path);
}

Stager::Content Stager::fill(const Step& step, const Row& row, int to) const {
  if (step.bytes) {
    sys::write_all(to, *step.bytes);
    return {wanted_attributes(request_, step, row), to_hex(hash_bytes(*step.bytes))};
  }
  if (!step.pre_image && step.blob.empty()) {
    Content content = copy_source(step, row, to);
    if (step.xattrs) {
      content.xattrs = *step.xattrs;
    }
    return content;
  }
  const sys::Fd from = step.pre_image ? pre_images_.open(step.pre_image->apply, step.pre_image->ord)
                                      : blobs_.open(step.blob);
  if (!from) {
    throw Error{"cannot write " + quoted(step.path) + ": its earlier content is not kept any more"};
  }
  sys::copy_contents(from.get(), to);
  return {wanted_attributes(request_, step, row), {}};
}

// Owner, attributes, ACLs, mode and time, in the order in which none undoes another: chown(2)
// clears bits of the mode, and an ACL brings a mode of its own. Until the end only the owner may do
// anything; what was made has an ACL already where its directory gives one.
void Stager::dress(const Step& step, int fd, const Place& at, Row& row,
                   const Xattrs& wanted) const {
  row.after.mode = mode_with(wanted, row);
  Xattrs fitting = wanted;
  if (!give_owner(fd, step, row, at)) {
    row.after.mode = mode_without_group(row.after.mode);
    if (const auto acl = fitting.find(sys::kAccessAcl); acl != fitting.end()) {
      acl->second = acl_without_group(std::move(acl->second));
    }
  }
  const std::uint32_t work = row.after.kind == EntryKind::Directory ? kOwnerAll : 0;
  const mode_t mode = set_attributes(fd, fitting, row.after.mode | work);
  row.after.mode &= mode;
  // fchmod(2) refuses descriptors of O_PATH.
  if (::fchmod(fd, mode) != 0 &&
      (errno != EBADF || ::chmod(sys::proc_path(fd).c_str(), mode) != 0)) {
    throw_errno("change the mode of " + quoted(step.path));
  }
  if (request_.keep_mtime && step.after.mtime_ns != 0) {
    set_mtime(fd, step.after.mtime_ns);
  }
}

void Stager::write(const Step& step, const Place& at, Row& row) {
  const sys::Fd fd =
      sys::try_open_at(at.fd(), at.name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (!fd) {
    throw_errno("write " + quoted(step.path));
  }
  SHADOW_FAIL_POINT("created");
  Content content = fill(step, row, fd.get());
  row.after_hash =
      content.hash.empty() ? to_hex(store::hash_file(fd.get())) : std::move(content.hash);
  if (!step.blob.empty() && !step.bytes &&
      step.blob.str().compare(0, row.after_hash.size(), row.after_hash) != 0) {
    throw Error{"cannot write " + quoted(step.path) + ": its earlier content is damaged"};
  }
  check_judged(step, fd.get());
  check_shown(step, content.xattrs, fd.get());
  dress(step, fd.get(), at, row, content.xattrs);
}

void Stager::write_link(const Step& step, const Place& at, Row& row) {
  const mode_t type = row.after.kind == EntryKind::Fifo ? S_IFIFO : S_IFSOCK;
  const int made = row.after.kind == EntryKind::Symlink
                       ? ::symlinkat(row.after.target.str().c_str(), at.fd(), at.name.c_str())
                       : ::mknodat(at.fd(), at.name.c_str(), type | S_IRUSR | S_IWUSR, 0);
  if (made != 0) {
    throw_errno("make " + quoted(step.path));
  }
  SHADOW_FAIL_POINT("created");
  const sys::Fd fd = sys::open_at(at.fd(), at.name, O_PATH | O_NOFOLLOW);
  if (row.after.kind == EntryKind::Symlink) {
    (void)give_owner(fd.get(), step, row, at);  // a symlink has no mode and no attributes
    check_shown(step, {});
  } else {
    const Xattrs wanted = wanted_attributes(request_, step, row);
    check_shown(step, wanted);
    dress(step, fd.get(), at, row, wanted);
  }
}

void Stager::make_directory(const Step& step, const Place& at, Row& row) {
  if (::mkdirat(at.fd(), at.name.c_str(), S_IRWXU) != 0) {
    throw_errno("make directory " + quoted(step.path));
  }
  SHADOW_FAIL_POINT("created");
  const sys::Fd fd = sys::open_at(at.fd(), at.name, O_PATH | O_NOFOLLOW);
  // A setgid bit that the parent hands down is the project's own way, not something brought in.
  row.after.mode |= overlay::look_fd(fd.get()).mode & step.after.mode & kSetGid;
  const Xattrs wanted = wanted_attributes(request_, step, row);
  check_shown(step, wanted);
  dress(step, fd.get(), at, row, wanted);
}

bool Stager::link_to(const std::string& from, const Place& at, const Row& row) const {
  const Place source = tree_.place(from);
  if (::linkat(source.fd(), source.name.c_str(), at.fd(), at.name.c_str(), 0) == 0) {
    return true;
  }
  // Too many links, a file of another owner, no links here: two files instead of one.
  if (errno == EMLINK || errno == EPERM || errno == EXDEV || errno == EOPNOTSUPP) {
    return false;
  }
  throw_errno("link " + quoted(row.path));
}

void Stager::hard_link(const Step& step, const Place& at, Row& row) {
  const auto staged = staged_by_path_.find(step.link_to.str());
  if (staged != staged_by_path_.end()) {
    if (!link_to(journal_.of_step(staged->second).staged, at, row)) {
      write(step, at, row);
      return;
    }
  } else {
    // A real file that the apply leaves as it is, unless it holds something else by now (or the
    // change to it was not chosen).
    const sys::Fd source = open_source(step);
    const sys::Fd real =
        sys::try_open_beneath(tree_.root(), step.link_to.str(), O_RDONLY | O_NONBLOCK);
    if (!real && errno != EACCES && !sys::is_missing(errno)) {
      throw_errno("read " + quoted(step.link_to.str()));
    }
    const bool same = real && overlay::look_fd(real.get()).kind == EntryKind::File &&
                      sys::same_content(source.get(), real.get());
    if (!same || !link_to(step.link_to, at, row)) {
      write(step, at, row);
      return;
    }
    if (Tree::look(at).ino != overlay::look_fd(real.get()).ino) {
      throw_conflict({step.link_to});  // it was replaced after the comparison
    }
  }
  SHADOW_FAIL_POINT("created");
  const sys::Fd fd = sys::open_at(at.fd(), at.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  row.after_hash = to_hex(store::hash_file(fd.get()));
  row.after.mode = overlay::look_fd(fd.get()).mode;
  check_judged(step, fd.get());
  check_shown(step, step.shown.empty() ? Xattrs{} : wanted_attributes(request_, step, row),
              fd.get());
}

}  // namespace shadow::promote
