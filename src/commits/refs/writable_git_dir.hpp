// SPDX-License-Identifier: MIT
// A session's git directory as it can be changed: in the view of a live session, in the layer of an
// idle one.

#pragma once

#include "commits/refs/session_git.hpp"
#include "sys/files/fd.hpp"

#include <optional>

namespace shadow::commits {

// Of a linked work tree `own` is the part that has HEAD and the index; else both are the same.
struct GitTree {
  sys::Fd own;
  sys::Fd common;
};

// Beneath the root of the view or the layer, and without following links: what a run puts in the
// place of a directory leads nowhere. nullopt where there is no such directory.
[[nodiscard]] std::optional<GitTree> open_git_tree(int root, const SessionGit& git);

// Removes the locks that a process of ours has left there when it was killed: the git of a run
// would meet them for ever. With the session's lock held.
void remove_left_locks(const GitTree& tree, const SessionGit& git);

}  // namespace shadow::commits
