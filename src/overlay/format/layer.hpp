// SPDX-License-Identifier: MIT
// A layer's two directories in the state: `upper` and overlayfs' own `work`.

#pragma once

#include <string>

namespace shadow::overlay {

enum class RootOwner { Caller, Lower };

// Creates NAME/{upper,work} below `dirfd`. The upper root is the root of the view, so it takes the
// lower root's mode, ACL and user.* attributes, and for a caller who may give it away also its
// owner (overlayfs shows the upper root's, facts of the kernel's ovl_fill_super). Existing
// directories are left.
void create_layer(int dirfd, const std::string& name, int lower,
                  RootOwner owner = RootOwner::Caller);

// Gives the upper root the lower root's mode again. No review tells of a root, so what a run did to
// it must not outlast the mount; else one that closed it would keep every later one out. Both may
// be O_PATH.
void restore_root_mode(int upper, int lower);

// Removes the marker that a `volatile` mount leaves in work/work/incompat: while it is there every
// later mount fails with EINVAL. Nothing to do when there is none. `work` may be O_PATH.
void clear_volatile_marker(int work);

}  // namespace shadow::overlay
