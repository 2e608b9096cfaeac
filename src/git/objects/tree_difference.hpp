// SPDX-License-Identifier: MIT
// The differences of two trees. Not git_diff_tree_to_tree, which has no bounds: a tree that a run
// made by hand can be of any depth and number of differences.

#pragma once

#include "base/wire.hpp"
#include "git/objects/tree_entry.hpp"
#include "git/repository/handle.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace shadow::git {

// `before` and `after` are commits (hex), or empty for the empty tree. Throws Error.
[[nodiscard]] std::vector<TreeDifference> difference(git_odb* odb, const std::string& before,
                                                     const std::string& after);

// The same, each parent of a commit with it (a first commit: with the empty tree), and the paths in
// directories that git takes for git directories by what the commit's own tree has in them.
struct CommitDifference {
  TreeDifference row;
  bool in_git_dir = false;
};
struct CommitDifferences {
  std::vector<CommitDifference> rows;
  std::size_t trees = 0;  // that it was compared with
};
[[nodiscard]] CommitDifferences changes_of_commit(git_odb* odb, const std::string& id);

void put(WireWriter& out, const TreeDifference& row);
[[nodiscard]] TreeDifference take_difference(WireReader& in);

using ObjectHandle = Handle<git_odb_object, git_odb_object_free>;

[[nodiscard]] ObjectHandle read_object(git_odb* odb, const git_oid& id);
[[nodiscard]] std::string_view bytes_of(const ObjectHandle& object);
[[nodiscard]] git_oid to_oid(const std::string& hex);
[[nodiscard]] std::string to_hex(const git_oid& id);

}  // namespace shadow::git
