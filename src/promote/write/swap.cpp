// SPDX-License-Identifier: MIT
#include "promote/write/swap.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/text.hpp"
#include "promote/journal/attributes.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <cerrno>

namespace shadow::promote {
namespace {

// Also the change time, which nobody can set back: an edit that keeps size and mtime is seen by it.
// Not where the inode has other names, whose steps before this one may have moved it.
bool untouched(const Entry& now, const Row& row) {
  return is_before(now, row) && (now.kind != EntryKind::File || now.nlink > 1 ||
                                 row.before.ctime_ns == 0 || now.ctime_ns == row.before.ctime_ns);
}

void expect(bool condition, const Row& row) {
  if (!condition) {
    throw_conflict({row.path});
  }
}

// Renames to where nothing may be.
void move_expecting_nothing(Tree& tree, const std::string& from, const Row& row,
                            const std::string& to) {
  try {
    tree.move(from, to);
  } catch (const SysError& error) {
    expect(error.errno_value() != EEXIST, row);
    throw;
  }
}

// Takes the entry away from its path, unless somebody deleted it a moment ago.
template <class Move>
auto expecting_one(Tree& tree, const Row& row, const Move& move) {
  try {
    return move();
  } catch (const SysError& error) {
    expect(error.errno_value() != ENOENT || tree.look(row.path).exists(), row);
    throw;
  }
}

void put(Tree& tree, const Row& row) {
  if (!row.before.exists()) {
    SHADOW_FAIL_POINT("before-swap");
    move_expecting_nothing(tree, row.staged, row, row.path);
    return;
  }
  const Place staged = expecting_one(tree, row, [&] { return tree.place(row.staged); });
  const Place target =
      expecting_one(tree, row, [&] { return tree.place_near(staged, row.staged, row.path); });
  expect(untouched(Tree::look(target), row), row);
  SHADOW_FAIL_POINT("before-swap");
  if (expecting_one(tree, row, [&] { return Tree::exchange(staged, target); })) {
    // The entry that came out may not be the one that was examined a moment ago.
    expect(is_before(Tree::look(staged), row), row);
    return;
  }
  // The name is free for an instant; an edit that lands there is met by the second rename.
  const std::string old = old_name(row);
  expecting_one(tree, row, [&] { tree.move(row.path, old); });
  expect(is_before(tree.look(old), row), row);
  SHADOW_FAIL_POINT("between-renames");
  move_expecting_nothing(tree, row.staged, row, row.path);
}

void remove(Tree& tree, const Row& row) {
  expect(is_before(tree.look(row.path), row), row);
  SHADOW_FAIL_POINT("before-swap");
  expecting_one(tree, row, [&] { tree.move(row.path, row.staged); });
  expect(is_before(tree.look(row.staged), row), row);
}

void remove_directory(Tree& tree, const Row& row) {
  remove(tree, row);
  const sys::Fd dir = sys::open_beneath(tree.root(), row.staged, O_RDONLY | O_DIRECTORY);
  expect(sys::is_empty_dir(dir.get()), row);
}

void set_attributes(Tree& tree, const Row& row, const Xattrs& wanted) {
  const Entry now = tree.look(row.path);
  expect(now.kind == row.before.kind && now.ino == row.before.ino, row);
  SHADOW_FAIL_POINT("before-swap");
  const std::uint32_t work = now.kind == EntryKind::Directory ? kOwnerAll : 0;
  // Attributes first: the new mode may forbid it.
  const std::uint32_t mode = set_attributes_of(tree, row.path, now, wanted, row.after.mode | work);
  SHADOW_FAIL_POINT("attributes-set");
  if (mode != tree.look(row.path).mode) {
    tree.set_mode(row.path, mode);
  }
}

}  // namespace

void swap_in(Tree& tree, const Row& row, const Xattrs& wanted) {
  if (is_staged_in_new_directory(row)) {
    return;
  }
  switch (operation_of(row)) {
    case Operation::Put:
      put(tree, row);
      break;
    case Operation::MakeDirectory:
      SHADOW_FAIL_POINT("before-swap");
      move_expecting_nothing(tree, row.staged, row, row.path);
      break;
    case Operation::Delete:
      remove(tree, row);
      break;
    case Operation::RemoveDirectory:
      remove_directory(tree, row);
      break;
    case Operation::SetAttributes:
      set_attributes(tree, row, wanted);
      break;
    case Operation::Relax:
      return;
  }
  SHADOW_FAIL_POINT("swapped");
}

}  // namespace shadow::promote
