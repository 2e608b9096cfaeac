// SPDX-License-Identifier: MIT
#include "promote/journal/journal.hpp"

#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "promote/journal/attributes.hpp"
#include "sys/files/beneath.hpp"
#include "sys/namespaces/acl.hpp"
#include "sys/namespaces/outer_namespace.hpp"

#include <algorithm>
#include <cerrno>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <sys/random.h>
#include <unistd.h>

namespace shadow::promote {
namespace {

constexpr const char* kRelax = "relax";
constexpr std::uint32_t kPermissions = 01777;  // without setuid and setgid
constexpr std::uint32_t kSetIdBits = 06000;

// No two applies, also of different state directories, ever meet in a name.
std::string random_token() {
  std::uint64_t bits = 0;
  if (::getrandom(&bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits)) {
    throw_errno("get random bytes");
  }
  return to_hex(Hash128{0, bits}).substr(16);
}

// The first ancestor that is there before and after the apply: a name in it can be renamed to where
// it belongs, and it needs no place in a directory that comes or goes.
std::string_view staging_parent(std::string_view path, const std::set<std::string_view>& moving) {
  std::string_view parent = sys::split_path(path).parent;
  while (!parent.empty() && moving.count(parent) != 0) {
    parent = sys::split_path(parent).parent;
  }
  return parent;
}

bool as_expected(const Entry& expected, const Entry& now) {
  if (expected.kind != now.kind) {
    return false;
  }
  switch (expected.kind) {
    case EntryKind::Absent:
      return true;
    case EntryKind::Directory:
      return expected.mode == now.mode && (expected.ino == 0 || expected.ino == now.ino);
    default:
      return expected.ino == 0 ? expected.mode == now.mode && expected.size == now.size &&
                                     expected.target == now.target
                               : same_state(expected, now);
  }
}

// An entry as it is now, with its group; `xattrs` gets its attributes.
Entry find_in(const Tree& tree, const std::string& path, Xattrs& xattrs) {
  const auto at = tree.find_place(path);
  if (!at) {
    return {};
  }
  Entry found = Tree::look(*at);
  if (found.kind == EntryKind::Absent || found.kind == EntryKind::Device) {
    return found;
  }
  if (found.kind != EntryKind::Symlink) {
    xattrs = attributes_of(*at);
  }
  if (found.gid != ::getegid() && sys::has_outer_namespace()) {
    const sys::Fd node = sys::try_open_at(at->fd(), at->name, O_PATH | O_NOFOLLOW);
    found.gid = node ? sys::group_of(node.get()) : found.gid;
  }
  return found;
}

// Setuid and setgid bits are never brought in, only back; an entry that has them keeps, as long as
// it is not replaced, those that `after` has too.
std::uint32_t mode_for(const Step& step, const Entry& now) {
  if (step.restores) {
    return step.after.mode;
  }
  const bool stays = step.action == Action::SetAttributes;
  return (step.after.mode & kPermissions) | (stays ? step.after.mode & now.mode & kSetIdBits : 0);
}

// A directory of the caller's in which it cannot write: made writable while the apply goes on.
void relax_if_needed(Tree& tree, const std::string& dir, std::vector<Row>& rows) {
  const sys::Fd fd = sys::try_open_beneath(tree.root(), dir, O_PATH | O_DIRECTORY);
  if (!fd || ::faccessat(fd.get(), "", W_OK | X_OK, AT_EACCESS | AT_EMPTY_PATH) == 0 ||
      errno != EACCES) {
    return;  // a directory that is missing or cannot be had fails with its name when it is used
  }
  Row row;
  row.path = dir;
  row.action = kRelax;
  row.before = tree.look(dir);
  if (row.before.kind == EntryKind::Directory && row.before.uid == ::geteuid()) {
    row.after.kind = EntryKind::Directory;
    row.after.mode = row.before.mode | kOwnerAll;
    rows.push_back(std::move(row));
  }
}

std::set<std::string> directories_in_use(const std::vector<Step>& steps,
                                         const std::set<std::string_view>& moving) {
  std::set<std::string> dirs;
  std::string_view last;
  for (const Step& step : steps) {
    if (step.action == Action::SetAttributes) {
      continue;
    }
    const std::string_view parent = sys::split_path(step.path).parent;
    if (parent != last) {
      last = parent;
      dirs.emplace(parent);
      dirs.emplace(staging_parent(step.path, moving));
    }
    if (step.action == Action::RemoveDirectory) {
      dirs.insert(step.path);  // renaming a directory to another parent writes its ".."
    }
  }
  dirs.erase(std::string{});  // the project's root is not ours to change
  return dirs;
}

std::set<std::string_view> moving_directories(const std::vector<Step>& steps) {
  std::set<std::string_view> moving;
  for (const Step& step : steps) {
    if (step.action == Action::MakeDirectory || step.action == Action::RemoveDirectory) {
      moving.insert(step.path);
    }
  }
  return moving;
}

}  // namespace

Operation operation_of(const Row& row) {
  if (row.action == kRelax) {
    return Operation::Relax;
  }
  if (row.action == to_word(Action::Delete)) {
    return Operation::Delete;
  }
  if (row.action == to_word(Action::MakeDirectory)) {
    return Operation::MakeDirectory;
  }
  if (row.action == to_word(Action::RemoveDirectory)) {
    return Operation::RemoveDirectory;
  }
  if (row.action == to_word(Action::SetAttributes)) {
    return Operation::SetAttributes;
  }
  return Operation::Put;
}

bool is_staged_in_new_directory(const Row& row) {
  // Any other staging name is a random one.
  return !row.staged.empty() && row.staged != row.path &&
         sys::split_path(row.staged).name == sys::split_path(row.path).name;
}

Journal::Journal(Tree& tree, const std::vector<Step>& steps)
    : steps_{steps}, found_(steps.size()), token_{random_token()} {
  const Paths moving = moving_directories(steps);
  relax(tree, moving);
  find(tree, moving);
  choose_names(moving);
}

void Journal::relax(Tree& tree, const Paths& moving) {
  for (const std::string& dir : directories_in_use(steps_, moving)) {
    relax_if_needed(tree, dir, relaxed_);
  }
  std::int64_t ord = 0;
  for (Row& row : relaxed_) {
    row.ord = ord++;
  }
}

void Journal::find(Tree& tree, const Paths& moving) {
  // The second step of a path follows the one that makes room for it. There are two only where
  // something becomes a directory, or was one.
  std::set<std::string_view> seen;
  std::vector<char> follows(steps_.size());
  for (std::size_t index = 0; index < steps_.size(); ++index) {
    const std::string& path = steps_[index].path;
    follows[index] = moving.count(path) != 0 && !seen.insert(path).second ? 1 : 0;
  }
  std::vector<char> differs(steps_.size());
  in_parallel(steps_.size(), kShareOfFiles, [&](std::size_t index) {
    const Step& step = steps_[index];
    Found& found = found_[index];
    if (follows[index] == 0) {
      Xattrs xattrs;
      Entry entry = find_in(tree, step.path, xattrs);
      differs[index] = as_expected(step.before, entry) ? 0 : 1;
      if (entry.exists()) {
        found.entry = std::move(entry);
      }
      if (!xattrs.empty()) {
        found.xattrs = std::move(xattrs);
      }
    }
    found.mode = mode_for(step, found.entry.or_none());
  });
  std::vector<std::string> conflicts;
  for (std::size_t index = 0; index < steps_.size(); ++index) {
    if (differs[index] != 0) {
      conflicts.push_back(steps_[index].path);
    }
  }
  if (!conflicts.empty()) {
    throw_conflict(conflicts);
  }
}

// An entry of a directory that the apply creates is made in it right away and arrives with it in
// one rename.
void Journal::choose_names(const Paths& moving) {
  std::unordered_map<std::string_view, std::uint32_t> made;  // the topmost of new directories
  for (std::size_t index = 0; index < steps_.size(); ++index) {
    const Step& step = steps_[index];
    if (step.action == Action::SetAttributes) {
      continue;
    }
    const auto around = made.find(sys::split_path(step.path).parent);
    if (around != made.end()) {
      found_[index].top = around->second;
    } else {
      found_[index].parent_bytes =
          static_cast<std::uint32_t>(staging_parent(step.path, moving).size());
    }
    if (step.action == Action::MakeDirectory) {
      made.emplace(step.path,
                   around != made.end() ? around->second : static_cast<std::uint32_t>(index));
    }
  }
}

std::string Journal::staged_name(std::size_t index) const {
  const Step& step = steps_[index];
  if (step.action == Action::SetAttributes) {
    return {};
  }
  if (const std::uint32_t top = found_[index].top; top != kNoStep) {
    return staged_name(top) + step.path.substr(steps_[top].path.size());
  }
  return sys::join_path(
      std::string_view{step.path}.substr(0, found_[index].parent_bytes),
      std::string{kStagingName} + token_ + '-' + std::to_string(relaxed_.size() + index));
}

Row Journal::of_step(std::size_t index) const {
  const Step& step = steps_[index];
  const Found& found = found_[index];
  Row row;
  row.ord = static_cast<std::int64_t>(relaxed_.size() + index);
  row.path = step.path;
  row.action = to_word(step.action);
  row.staged = staged_name(index);
  row.staged_as = found.staged_as;
  row.before = found.entry.or_none();
  row.before_xattrs = found.xattrs.or_none();
  row.after.kind = step.after.kind;
  row.after.target = step.after.target;
  row.after.mode = found.mode;
  row.after_hash = found.hash ? to_hex(*found.hash) : std::string{};
  return row;
}

Row Journal::row(std::size_t number) const {
  return number < relaxed_.size() ? relaxed_[number] : of_step(number - relaxed_.size());
}

void Journal::keep(std::size_t index, const Row& row) {
  found_[index].staged_as = row.staged_as;
  found_[index].mode = row.after.mode;
  found_[index].hash = hash_from_hex(row.after_hash);
}

bool is_staged(const Entry& now, const Row& row) {
  if (row.staged_as.ino == 0 || now.kind != row.after.kind || now.ino != row.staged_as.ino) {
    return false;
  }
  return now.kind == EntryKind::Directory ||
         (now.size == row.staged_as.size && now.mtime_ns == row.staged_as.mtime_ns);
}

bool is_before(const Entry& now, const Row& row) {
  if (now.kind != row.before.kind || now.ino != row.before.ino) {
    return false;
  }
  return now.kind == EntryKind::Directory ||
         (now.size == row.before.size && now.mtime_ns == row.before.mtime_ns &&
          now.mode == row.before.mode);
}

std::string old_name(const Row& row) {
  return row.staged + "-old";
}

void throw_conflict(const std::vector<std::string>& paths) {
  const std::string more =
      paths.size() == 1 ? "" : " and " + std::to_string(paths.size() - 1) + " more";
  throw Error{"cannot write " + quoted(paths.front()) + more +
                  ": the project has changed there in the meantime",
              "nothing was written; look at the changes again", ExitCode::Conflict, paths};
}

}  // namespace shadow::promote
