// SPDX-License-Identifier: MIT
#include "promote/recover/finish.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/text.hpp"
#include "promote/recover/roll_back.hpp"
#include "promote/recover/room.hpp"
#include "store/contents/blobs.hpp"
#include "store/contents/pre_images.hpp"
#include "sys/files/beneath.hpp"

#include <cerrno>
#include <optional>
#include <set>
#include <utility>

#include <sys/stat.h>

namespace shadow::promote {
namespace {

// A pre-image where the swap has left it, and what it is.
struct Waiting {
  std::string path;
  Place at;
  Entry entry;
};

// None when the row had no pre-image, or it is away already.
std::optional<Waiting> waiting_for(Tree& tree, const Row& row) {
  const Operation operation = operation_of(row);
  if (!row.before.exists() || (operation != Operation::Put && operation != Operation::Delete)) {
    return std::nullopt;
  }
  const auto staged = tree.find_place(row.staged);
  if (!staged) {
    return std::nullopt;
  }
  for (const std::string& path : {row.staged, old_name(row)}) {
    Place at{staged->dir, std::string{sys::split_path(path).name}};
    Entry entry = Tree::look(at);
    if (entry.exists() && !is_staged(entry, row)) {
      return Waiting{path, std::move(at), std::move(entry)};
    }
  }
  return std::nullopt;
}

// For reading; a pre-image of the caller's own may have a mode that forbids it, which the journal
// remembers.
sys::Fd open_waiting(Tree& tree, const std::string& name) {
  const Place at = tree.place(name);
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
  sys::Fd fd = sys::try_open_at(at.fd(), at.name, kFlags);
  if (!fd && errno == EACCES) {
    const sys::Fd node = tree.node(name);
    if (::chmod(sys::proc_path(node.get()).c_str(), S_IRUSR | S_IWUSR) == 0) {
      fd = sys::try_open_at(at.fd(), at.name, kFlags);
    }
  }
  if (!fd && errno != EACCES && errno != EPERM && !sys::is_missing(errno)) {
    throw_errno("keep the earlier content of " + quoted(name));
  }
  return fd;
}

struct Copy {
  Row row;
  std::string from;
};

// The copies are on disk and written down before anything that they are of is removed.
void copy_pre_images(Tree& tree, const ApplySite& site, std::int64_t apply,
                     std::vector<Copy>& copies) {
  if (copies.empty()) {
    return;
  }
  std::vector<ToCopy> files;
  files.reserve(copies.size());
  for (const Copy& copy : copies) {
    files.push_back({copy.from, copy.row.path});
  }
  require_room(tree, site, files);
  store::Blobs blobs{site.state};
  for (Copy& copy : copies) {
    const sys::Fd fd = open_waiting(tree, copy.from);
    if (!fd) {
      continue;  // another owner's, unreadable: it cannot be kept for undo
    }
    copy.row.before_blob = blobs.put(fd.get());
    SHADOW_FAIL_POINT("pre-image-copied");
  }
  blobs.sync();
  store::Transaction transaction{site.database};
  for (const Copy& copy : copies) {
    store::set_before_blob(site.database, apply, copy.row);
  }
  transaction.commit();
}

// Returns the numbers of the rows of which nothing waits any more, in their order.
std::vector<std::int64_t> keep_pre_images(Tree& tree, const ApplySite& site, std::int64_t apply,
                                          const EachRow& each) {
  std::vector<std::int64_t> away;
  std::vector<Copy> copies;
  store::PreImages kept{site.state};
  each(store::StepOrder::Forward, [&](Row& row) {
    if (row.before.kind != EntryKind::File) {
      return;
    }
    const auto waiting = waiting_for(tree, row);
    if (!waiting || waiting->entry.kind != EntryKind::File) {
      return;
    }
    const Place& at = waiting->at;
    if (is_ours_alone(waiting->entry) && kept.take(at.fd(), at.name, apply, row.ord)) {
      away.push_back(row.ord);
      SHADOW_FAIL_POINT("pre-image-kept");
    } else {
      copies.push_back({std::move(row), waiting->path});
    }
  });
  copy_pre_images(tree, site, apply, copies);
  return away;
}

void remove_waiting(Tree& tree, const Row& row, std::vector<std::string>& left) {
  const Operation operation = operation_of(row);
  const bool made = operation == Operation::Put && !row.before.exists();
  if (made || operation == Operation::Relax || operation == Operation::SetAttributes ||
      operation == Operation::MakeDirectory) {
    return;  // nothing waits beside it
  }
  if (operation == Operation::RemoveDirectory) {
    if (tree.look(row.staged).exists() && !tree.remove_directory(row.staged)) {
      put_back(tree, row, row.staged, left);  // somebody worked in it and has put something there
    }
  } else {
    for (const std::string& name : {row.staged, old_name(row)}) {
      if (tree.look(name).exists()) {
        tree.remove_file(name);
      }
    }
  }
  SHADOW_FAIL_POINT("staging-removed");
}

bool sets_directory(const Row& row) {
  return row.before.kind == EntryKind::Directory && operation_of(row) == Operation::SetAttributes;
}

void close_directories(Tree& tree, const EachRow& each, const std::set<std::string>& set_by_step) {
  // Steps on directories by descending path: children before parents, whose mode may close them.
  each(store::StepOrder::Backward, [&](const Row& row) {
    const Operation operation = operation_of(row);
    if (operation == Operation::MakeDirectory) {
      restore_directory_mode(tree, row, row.staged_as.ino, row.after.mode);
    } else if (operation == Operation::Relax && set_by_step.count(row.path) == 0) {
      restore_directory_mode(tree, row, row.before.ino, row.before.mode);
    }
  });
  if (set_by_step.empty()) {
    return;
  }
  each(store::StepOrder::Forward, [&](const Row& row) {
    if (sets_directory(row)) {
      restore_directory_mode(tree, row, row.before.ino, row.after.mode);
    }
  });
}

}  // namespace

void finish(Tree& tree, const ApplySite& site, std::int64_t apply, const EachRow& each,
            std::vector<std::string>& left) {
  const std::vector<std::int64_t> away = keep_pre_images(tree, site, apply, each);
  auto next = away.begin();
  std::set<std::string> set_by_step;
  each(store::StepOrder::Forward, [&](const Row& row) {
    if (sets_directory(row)) {
      set_by_step.insert(row.path);
    }
    if (next != away.end() && *next == row.ord) {
      ++next;
    } else {
      remove_waiting(tree, row, left);
    }
  });
  close_directories(tree, each, set_by_step);
}

}  // namespace shadow::promote
