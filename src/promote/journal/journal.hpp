// SPDX-License-Identifier: MIT
// The rows of an apply's journal: what each step found and will leave, and how to tell afterwards
// which of the two a name holds.

#pragma once

#include "shadow/apply.hpp"

#include "promote/journal/row.hpp"
#include "promote/journal/tree.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace shadow::promote {

// The operation of a row that is swapped in, rolled back or finished.
enum class Operation : std::uint8_t {
  Relax,  // a directory of ours without write permission, made writable until the end
  Put,
  Delete,
  MakeDirectory,
  RemoveDirectory,
  SetAttributes
};
[[nodiscard]] Operation operation_of(const Row& row);

// True if the row's entry is staged in a directory that the same apply creates, and arrives when
// that is renamed.
[[nodiscard]] bool is_staged_in_new_directory(const Row& row);

// Rows of one apply: first those of relaxed directories, then one for each step, in order.
struct Journal {
  std::vector<Row> rows;
  std::size_t relaxed = 0;

  [[nodiscard]] Row& of_step(std::size_t index) { return rows[relaxed + index]; }
};

// Looks at every path and writes down what is there. Throws Error (Conflict) naming every path that
// is not what its step says.
[[nodiscard]] Journal make_journal(Tree& tree, const std::vector<Step>& steps);

// True if the entry is what the row put, or what the row found. The ctime is ignored, since
// rename(2) changes it; a re-used inode number differs in mtime or size.
[[nodiscard]] bool is_staged(const Entry& now, const Row& row);
[[nodiscard]] bool is_before(const Entry& now, const Row& row);

// The name of a replaced entry on filesystems that cannot exchange two names.
[[nodiscard]] std::string old_name(const Row& row);

// The mode of a directory that is being worked in.
constexpr std::uint32_t kOwnerAll = 0700;

// The rows from last to first.
[[nodiscard]] std::vector<const Row*> backwards(const std::vector<Row>& rows);

[[noreturn]] void throw_conflict(const std::vector<std::string>& paths);

}  // namespace shadow::promote
