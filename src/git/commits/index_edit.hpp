// SPDX-License-Identifier: MIT
// A git index that follows a branch, edited in a copy of the file.

#pragma once

#include "shadow/entry.hpp"

#include "git/commits/object_copy.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace shadow::git {

struct IndexEdit {
  std::string fault;  // why the file cannot be edited; empty when it was
  // Paths whose entry is neither what the branch had nor what it will have: staged by the user, in
  // conflict, or marked (skip-worktree, assume-unchanged, intent-to-add).
  std::vector<std::string> staged;
  bool written = false;  // the file is another one now

  [[nodiscard]] bool ok() const { return fault.empty() && staged.empty(); }
};

// What becomes of the other paths where there are such entries.
enum class StagedEntries : std::uint8_t { StopAll, StayAlone };

// Makes the entries at the differing paths those of the `after` side, in `file`, an absolute path
// that may not exist yet. `clean`: real files known to have that content, whose times and sizes are
// taken over; git looks at the others by itself the next time. Other entries, staged ones too,
// stay. Unless staged entries stay alone, nothing is written unless the result is ok(). Extensions
// that only speed git up are dropped, but for the tree cache.
[[nodiscard]] IndexEdit edit_index(const std::string& file,
                                   const std::vector<TreeDifference>& differences,
                                   const std::map<std::string, Entry>& clean,
                                   StagedEntries staged = StagedEntries::StopAll);

// True if two index files hold the same entries, apart from the files' times.
[[nodiscard]] bool same_entries(const std::string& a, const std::string& b);

// The name that git gives to the content of an open file.
[[nodiscard]] std::string blob_id(int fd);
// The name of a text, such as a symlink's target.
[[nodiscard]] std::string blob_id(std::string_view text);

}  // namespace shadow::git
