// SPDX-License-Identifier: MIT
// Repositories that an apply brought, and in which somebody has worked since.

#pragma once

#include "promote/journal/row.hpp"
#include "promote/journal/tree.hpp"

#include <set>
#include <string>
#include <vector>

namespace shadow::promote {

// The git directories that these rows made, of which a branch, a tag or what is checked out is not
// what was written, or is new. What is committed in one may need all that the apply brought: its
// files are taken back together or not at all.
[[nodiscard]] std::set<std::string> used_git_dirs(const Tree& tree, const EachRow& each);

}  // namespace shadow::promote
