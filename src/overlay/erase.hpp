// SPDX-License-Identifier: MIT
// Removing a subtree of any depth.

#pragma once

#include <string>

namespace shadow::overlay {

// Removes `name` below `dirfd` with everything in it, not following anything. Directories that deny
// access to their owner are given it first. A name that does not exist is fine. Throws SysError.
void erase(int dirfd, const std::string& name);

}  // namespace shadow::overlay
