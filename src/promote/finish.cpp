// SPDX-License-Identifier: MIT
#include "promote/finish.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "promote/roll_back.hpp"

#include <cerrno>
#include <set>

#include <sys/stat.h>

namespace shadow::promote {
namespace {

// Where the pre-image of a row waits; "" when it had none or it is away already.
std::string waiting_name(Tree& tree, const Row& row) {
  const Deed deed = deed_of(row);
  if (!row.before.exists() || (deed != Deed::Put && deed != Deed::Delete)) {
    return {};
  }
  for (const std::string& name : {row.staged, old_name(row)}) {
    const Entry entry = tree.look(name);
    if (entry.exists() && !is_staged(entry, row)) {
      return name;
    }
  }
  return {};
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
  return fd;
}

struct PreImage {
  Row* row;
  std::string name;
  Hash128 hash;
};

// The names in the blobs are written down before anything moves there.
std::vector<PreImage> name_pre_images(Tree& tree, store::Database& database, std::int64_t apply,
                                      std::vector<Row>& rows) {
  std::vector<PreImage> images;
  for (Row& row : rows) {
    if (row.before.kind != EntryKind::File) {
      continue;
    }
    const std::string name = waiting_name(tree, row);
    if (name.empty()) {
      continue;
    }
    const sys::Fd fd = open_waiting(tree, name);
    if (!fd) {
      continue;  // another owner's, unreadable: it cannot be kept for undo
    }
    images.push_back({&row, name, store::hash_file(fd.get())});
    row.before_blob = to_hex(images.back().hash);
  }
  store::Transaction transaction{database};
  for (const PreImage& image : images) {
    store::set_before_blob(database, apply, *image.row);
  }
  transaction.commit();
  return images;
}

// Returns the rows of which nothing waits any more.
std::set<const Row*> keep_pre_images(Tree& tree, store::Database& database, store::Blobs& blobs,
                                     std::int64_t apply, std::vector<Row>& rows) {
  std::set<const Row*> away;
  bool copied = false;
  for (const PreImage& image : name_pre_images(tree, database, apply, rows)) {
    const Place at = tree.place(image.name);
    const store::Blobs::Taken taken = blobs.take(at.fd(), at.name, image.hash);
    copied = copied || !taken.moved;
    if (taken.moved) {
      away.insert(image.row);
    }
    if (taken.name != image.row->before_blob) {
      image.row->before_blob = taken.name;
      store::set_before_blob(database, apply, *image.row);
    }
    SHADOW_FAIL_POINT("pre-image-kept");
  }
  if (copied) {
    blobs.sync();
  }
  return away;
}

void remove_waiting(Tree& tree, const Row& row, std::vector<std::string>& left) {
  const Deed deed = deed_of(row);
  const bool made = deed == Deed::Put && !row.before.exists();
  if (made || deed == Deed::Relax || deed == Deed::SetAttributes || deed == Deed::MakeDirectory) {
    return;  // nothing waits beside it
  }
  if (deed == Deed::RemoveDirectory) {
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

void close_directories(Tree& tree, const std::vector<Row>& rows) {
  std::set<std::string> set_by_step;
  for (const Row& row : rows) {
    if (deed_of(row) == Deed::SetAttributes) {
      set_by_step.insert(row.path);
    }
  }
  // Steps on directories by descending path: children before parents, whose mode may close them.
  for (const Row* row : backwards(rows)) {
    const Deed deed = deed_of(*row);
    if (deed == Deed::MakeDirectory) {
      restore_directory_mode(tree, *row, row->staged_as.ino, row->after.mode);
    } else if (deed == Deed::Relax && set_by_step.count(row->path) == 0) {
      restore_directory_mode(tree, *row, row->before.ino, row->before.mode);
    }
  }
  for (const Row& row : rows) {
    if (deed_of(row) == Deed::SetAttributes && row.before.kind == EntryKind::Directory) {
      restore_directory_mode(tree, row, row.before.ino, row.after.mode);
    }
  }
}

}  // namespace

void finish(Tree& tree, store::Database& database, store::Blobs& blobs, std::int64_t apply,
            std::vector<Row>& rows, std::vector<std::string>& left) {
  const std::set<const Row*> away = keep_pre_images(tree, database, blobs, apply, rows);
  for (const Row& row : rows) {
    if (away.count(&row) == 0) {
      remove_waiting(tree, row, left);
    }
  }
  close_directories(tree, rows);
}

}  // namespace shadow::promote
