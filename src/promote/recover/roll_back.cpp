// SPDX-License-Identifier: MIT
#include "promote/recover/roll_back.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/text.hpp"
#include "promote/journal/attributes.hpp"
#include "sys/files/beneath.hpp"

#include <cerrno>

namespace shadow::promote {
namespace {

// Takes what was put away from its path again. Moved to the staging name first and looked at there,
// so that an entry which came to the path just now is not removed in its place.
void withdraw(Tree& tree, const Row& row, std::vector<std::string>& left) {
  if (tree.look(row.staged).exists()) {
    // Both names are links of the staged file: a rename without flags was interrupted.
    tree.remove_file(row.path);
    return;
  }
  tree.move(row.path, row.staged);
  if (is_staged(tree.look(row.staged), row)) {
    tree.remove_file(row.staged);
  } else {
    put_back(tree, row, row.staged, left);
  }
}

void exchange_back(Tree& tree, const Row& row, std::vector<std::string>& left) {
  if (!tree.exchange(row.staged, row.path)) {
    throw SysError{EINVAL, "put " + quoted(row.path) + " back"};
  }
  SHADOW_FAIL_POINT("exchanged-back");
  if (is_staged(tree.look(row.staged), row)) {
    tree.remove_file(row.staged);
  } else {
    put_back(tree, row, row.staged, left);
  }
}

void undo_put(Tree& tree, const Row& row, std::vector<std::string>& left) {
  const std::string old = old_name(row);
  const bool staged_there = is_staged(tree.look(row.path), row);
  const Entry waiting = tree.look(row.staged);
  if (tree.look(old).exists()) {
    if (staged_there) {
      withdraw(tree, row, left);
    }
    put_back(tree, row, old, left);
  } else if (staged_there && waiting.exists() && !is_staged(waiting, row)) {
    exchange_back(tree, row, left);
  } else if (staged_there && !row.before.exists()) {
    withdraw(tree, row, left);
  } else if (staged_there) {
    left.push_back("the earlier content of " + quoted(row.path) + " was taken away by somebody");
    return;
  }
  const Entry rest = tree.look(row.staged);
  if (!rest.exists()) {
    return;
  }
  if (row.staged_as.ino == 0 || is_staged(rest, row)) {
    tree.remove_file(row.staged);  // half-made, or never swapped
  } else {
    put_back(tree, row, row.staged, left);
  }
}

// To its staging name with all that is in it, where it is taken apart. As in `withdraw`, what came
// to the path just now goes back.
void take_directory_back(Tree& tree, const Row& row, std::vector<std::string>& left) {
  if (operation_of(row) != Operation::MakeDirectory || is_staged_in_new_directory(row) ||
      !is_staged(tree.look(row.path), row) || tree.look(row.staged).exists()) {
    return;
  }
  tree.move(row.path, row.staged);
  SHADOW_FAIL_POINT("directory-taken-back");
  if (!is_staged(tree.look(row.staged), row)) {
    put_back(tree, row, row.staged, left);
  }
}

// If somebody has changed or created something there since, the directory stays and is restored as
// a whole.
void remove_from_directory(Tree& tree, const Row& row) {
  const Entry entry = tree.look(row.staged);
  if (!entry.exists()) {
    return;
  }
  if (entry.kind == EntryKind::Directory) {
    (void)tree.remove_directory(row.staged);
  } else if (row.staged_as.ino == 0 || is_staged(entry, row)) {
    tree.remove_file(row.staged);
  }
}

void undo_make_directory(Tree& tree, const Row& row, std::vector<std::string>& left) {
  if (tree.look(row.staged).exists() && !tree.remove_directory(row.staged)) {
    put_back(tree, row, row.staged, left);
  }
  if (is_staged(tree.look(row.path), row) && !tree.remove_directory(row.path)) {
    left.push_back("the directory " + quoted(row.path) + " stays: something else is in it");
  }
}

void undo_attributes(Tree& tree, const Row& row) {
  const Entry now = tree.look(row.path);
  if (now.kind != row.before.kind || now.ino != row.before.ino) {
    return;
  }
  // A directory stays writable until all that was in it is back.
  const std::uint32_t work = now.kind == EntryKind::Directory ? kOwnerAll : 0;
  (void)set_attributes_of(tree, row.path, now, row.before_xattrs, row.before.mode | work);
  const std::uint32_t mode = tree.look(row.path).mode;
  if (mode == (row.after.mode | work) || mode == row.after.mode ||
      mode == (row.before.mode | kOwnerWrite) || mode == (row.after.mode | kOwnerWrite)) {
    tree.set_mode(row.path, row.before.mode | work);
  }
}

void roll_back_row(Tree& tree, const Row& row, std::vector<std::string>& left) {
  if (is_staged_in_new_directory(row)) {
    remove_from_directory(tree, row);
    SHADOW_FAIL_POINT("rolled-back");
    return;
  }
  switch (operation_of(row)) {
    case Operation::Put:
      undo_put(tree, row, left);
      break;
    case Operation::Delete:
    case Operation::RemoveDirectory:
      if (tree.look(row.staged).exists()) {
        put_back(tree, row, row.staged, left);
      }
      break;
    case Operation::MakeDirectory:
      undo_make_directory(tree, row, left);
      break;
    case Operation::SetAttributes:
      undo_attributes(tree, row);
      break;
    case Operation::Relax:
      return;
  }
  SHADOW_FAIL_POINT("rolled-back");
}

}  // namespace

namespace {

// The name under which an earlier content stays beside what the user made of the path meanwhile.
std::string kept_name(const std::string& path, int number) {
  const sys::SplitPath parts = sys::split_path(path);
  // Room for the suffix: a name has at most 255 bytes (NAME_MAX).
  constexpr std::size_t kMostOfName = 230;
  return sys::join_path(parts.parent, std::string{parts.name.substr(0, kMostOfName)} +
                                          ".before-apply" +
                                          (number == 1 ? "" : "-" + std::to_string(number)));
}

}  // namespace

void put_back(Tree& tree, const Row& row, const std::string& from, std::vector<std::string>& left) {
  constexpr int kMostNames = 100;
  for (int number = 0; number < kMostNames; ++number) {
    const std::string to = number == 0 ? row.path : kept_name(row.path, number);
    try {
      tree.move(from, to);
    } catch (const SysError& error) {
      const int why = error.errno_value();
      if (why == EEXIST) {
        continue;
      }
      if (sys::is_missing(why)) {
        break;  // its directory is gone
      }
      throw;
    }
    if (number != 0) {
      left.push_back("something else is at " + quoted(row.path) +
                     " by now; what was there before the apply is at " + quoted(to));
    }
    return;
  }
  left.push_back("cannot put " + quoted(row.path) + " back: it is at " + quoted(from));
}

void restore_directory_mode(Tree& tree, const Row& row, std::uint64_t ino,
                            std::uint32_t final_mode) {
  const Entry now = tree.look(row.path);
  if (now.kind == EntryKind::Directory && now.ino == ino && now.mode != final_mode &&
      now.mode == (final_mode | kOwnerAll)) {
    tree.set_mode(row.path, final_mode);
  }
}

void roll_back(Tree& tree, const EachRow& each, std::vector<std::string>& left) {
  each(store::StepOrder::Forward, [&](const Row& row) { take_directory_back(tree, row, left); });
  each(store::StepOrder::Backward, [&](const Row& row) { roll_back_row(tree, row, left); });
  // Children have greater paths than their parents, which may be closed by their mode.
  each(store::StepOrder::Backward, [&](const Row& row) {
    const Operation operation = operation_of(row);
    const bool directory = row.before.kind == EntryKind::Directory;
    if (operation == Operation::Relax || (operation == Operation::SetAttributes && directory)) {
      restore_directory_mode(tree, row, row.before.ino, row.before.mode);
    }
  });
}

}  // namespace shadow::promote
