// SPDX-License-Identifier: MIT
// The rows of an apply's journal: what each step found and will leave, and how to tell afterwards
// which of the two a name holds.

#pragma once

#include "shadow/apply.hpp"
#include "shadow/rare.hpp"

#include "base/hash.hpp"
#include "promote/journal/row.hpp"
#include "promote/journal/tree.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
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

// Rows of one apply: first those of relaxed directories, then one for each step, in order. It holds
// what a step does not tell, and makes the rows of that when they are asked for: a million of them
// at once would take half a gigabyte.
class Journal {
 public:
  // Looks at every path and writes down what is there. Borrows the steps. Throws Error (Conflict)
  // naming every path that is not what its step says.
  Journal(Tree& tree, const std::vector<Step>& steps);

  [[nodiscard]] std::size_t size() const { return relaxed_.size() + steps(); }
  [[nodiscard]] std::size_t steps() const { return found_.size(); }
  [[nodiscard]] Row row(std::size_t number) const;
  [[nodiscard]] const std::vector<Row>& relaxed() const { return relaxed_; }
  [[nodiscard]] Row of_step(std::size_t index) const;
  [[nodiscard]] const Entry& before(std::size_t index) const {
    return found_[index].entry.or_none();
  }

  // Keeps what staging found out of a step: staged_as, after.mode and after_hash. Steps may be kept
  // at the same time.
  void keep(std::size_t index, const Row& row);

 private:
  struct Found {
    Rare<Entry> entry;
    Rare<Xattrs> xattrs;
    StagedIdentity staged_as;
    std::optional<Hash128> hash;
    std::uint32_t mode = 0;
    std::uint32_t top = kNoStep;     // the new directory that it arrives in, not in another one
    std::uint32_t parent_bytes = 0;  // of the path: the directory that it is staged in otherwise
  };
  static constexpr std::uint32_t kNoStep = UINT32_MAX;
  using Paths = std::set<std::string_view>;

  void relax(Tree& tree, const Paths& moving);
  void find(Tree& tree, const Paths& moving);
  void choose_names(const Paths& moving);
  [[nodiscard]] std::string staged_name(std::size_t index) const;

  const std::vector<Step>& steps_;
  std::vector<Row> relaxed_;
  std::vector<Found> found_;
  std::string token_;
};

// True if the entry is what the row put, or what the row found. The ctime is ignored, since
// rename(2) changes it; a re-used inode number differs in mtime or size.
[[nodiscard]] bool is_staged(const Entry& now, const Row& row);
[[nodiscard]] bool is_before(const Entry& now, const Row& row);

// The name of a replaced entry on filesystems that cannot exchange two names.
[[nodiscard]] std::string old_name(const Row& row);

// The mode of a directory that is being worked in.
constexpr std::uint32_t kOwnerAll = 0700;

[[noreturn]] void throw_conflict(const std::vector<std::string>& paths);

}  // namespace shadow::promote
