// SPDX-License-Identifier: MIT
// The rights of what a session made in a git directory. Nobody is told of those of single files
// there, and whoever else may write a config, or a name beside it, has git run a program.

#pragma once

#include "shadow/change.hpp"
#include "shadow/steps.hpp"

#include <vector>

namespace shadow::apply {

// The steps of a change in a git directory. What is new gets the rights that git would give to it:
// what the umask leaves, or the default ACL that the project (`lower`) has around it.
void add_steps_in_git_dir(int lower, Change change, std::vector<Step>& steps);

}  // namespace shadow::apply
