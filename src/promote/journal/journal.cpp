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
#include <functional>
#include <map>
#include <set>
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
std::string staging_parent(std::string_view path,
                           const std::set<std::string, std::less<>>& moving) {
  std::string_view parent = sys::split_path(path).parent;
  while (!parent.empty() && moving.count(parent) != 0) {
    parent = sys::split_path(parent).parent;
  }
  return std::string{parent};
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

// An entry as it is now, with its group and attributes.
struct Found {
  Entry entry;
  Xattrs xattrs;
};

Found find_in(const Tree& tree, const std::string& path) {
  const auto at = tree.find_place(path);
  if (!at) {
    return {};
  }
  Found found{Tree::look(*at), {}};
  const EntryKind kind = found.entry.kind;
  if (kind == EntryKind::Absent || kind == EntryKind::Device) {
    return found;
  }
  if (kind != EntryKind::Symlink) {
    found.xattrs = attributes_of(*at);
  }
  if (found.entry.gid != ::getegid() && sys::has_outer_namespace()) {
    const sys::Fd node = sys::try_open_at(at->fd(), at->name, O_PATH | O_NOFOLLOW);
    found.entry.gid = node ? sys::group_of(node.get()) : found.entry.gid;
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

// The staging name of each step's entry. An entry of a directory that the apply creates is made in
// it right away and arrives with it in one rename.
class StagingNames {
 public:
  explicit StagingNames(const std::set<std::string, std::less<>>& moving)
      : moving_{moving}, token_{random_token()} {}

  [[nodiscard]] std::string of(const Step& step, std::size_t number) {
    if (step.action == Action::SetAttributes) {
      return {};
    }
    const sys::SplitPath parts = sys::split_path(step.path);
    const auto made = made_.find(parts.parent);
    std::string name =
        made != made_.end()
            ? sys::join_path(made->second, parts.name)
            : sys::join_path(staging_parent(step.path, moving_),
                             std::string{kStagingName} + token_ + '-' + std::to_string(number));
    if (step.action == Action::MakeDirectory) {
      made_.insert_or_assign(step.path, name);
    }
    return name;
  }

 private:
  const std::set<std::string, std::less<>>& moving_;
  std::string token_;
  std::map<std::string, std::string, std::less<>> made_;  // path to staging name
};

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

std::set<std::string, std::less<>> directories_in_use(
    const std::vector<Step>& steps, const std::set<std::string, std::less<>>& moving) {
  std::set<std::string, std::less<>> dirs;
  for (const Step& step : steps) {
    if (step.action == Action::SetAttributes) {
      continue;
    }
    dirs.insert(std::string{sys::split_path(step.path).parent});
    dirs.insert(staging_parent(step.path, moving));
    if (step.action == Action::RemoveDirectory) {
      dirs.insert(step.path);  // renaming a directory to another parent writes its ".."
    }
  }
  dirs.erase(std::string{});  // the project's root is not ours to change
  return dirs;
}

Row row_for(const Step& step, Found found) {
  Row row;
  row.path = step.path;
  row.action = to_word(step.action);
  row.before = std::move(found.entry);
  row.before_xattrs = std::move(found.xattrs);
  row.after.kind = step.after.kind;
  row.after.target = step.after.target;
  row.after.mode = mode_for(step, row.before);
  return row;
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

Journal make_journal(Tree& tree, const std::vector<Step>& steps) {
  std::set<std::string, std::less<>> moving;
  for (const Step& step : steps) {
    if (step.action == Action::MakeDirectory || step.action == Action::RemoveDirectory) {
      moving.insert(step.path);
    }
  }
  Journal journal;
  for (const std::string& dir : directories_in_use(steps, moving)) {
    relax_if_needed(tree, dir, journal.rows);
  }
  journal.relaxed = journal.rows.size();

  StagingNames names{moving};
  std::vector<std::string> conflicts;
  std::vector<Found> found_now(steps.size());
  in_parallel(steps.size(), kShareOfFiles,
              [&](std::size_t index) { found_now[index] = find_in(tree, steps[index].path); });
  std::set<std::string, std::less<>> seen;
  for (std::size_t index = 0; index < steps.size(); ++index) {
    const Step& step = steps[index];
    Found found;
    // The second step of a path follows the one that makes room for it.
    if (seen.insert(step.path).second) {
      found = std::move(found_now[index]);
      if (!as_expected(step.before, found.entry)) {
        conflicts.push_back(step.path);
      }
    }
    Row row = row_for(step, std::move(found));
    row.staged = names.of(step, journal.rows.size());
    journal.rows.push_back(std::move(row));
  }
  if (!conflicts.empty()) {
    throw_conflict(conflicts);
  }
  std::int64_t ord = 0;
  for (Row& row : journal.rows) {
    row.ord = ord++;
  }
  return journal;
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

std::vector<const Row*> backwards(const std::vector<Row>& rows) {
  std::vector<const Row*> pointers;
  pointers.reserve(rows.size());
  for (const Row& row : rows) {
    pointers.push_back(&row);
  }
  std::reverse(pointers.begin(), pointers.end());
  return pointers;
}

void throw_conflict(const std::vector<std::string>& paths) {
  const std::string more =
      paths.size() == 1 ? "" : " and " + std::to_string(paths.size() - 1) + " more";
  throw Error{"cannot write " + quoted(paths.front()) + more +
                  ": the project has changed there in the meantime",
              "nothing was written; look at the changes again", ExitCode::Conflict, paths};
}

}  // namespace shadow::promote
