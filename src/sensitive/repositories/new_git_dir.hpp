// SPDX-License-Identifier: MIT
// The parts of a git directory that a session created (git init, git clone) which an apply writes:
// names that git itself makes there, as files and directories, and a configuration of our own.

#pragma once

#include "shadow/change.hpp"

#include <string>
#include <string_view>

namespace shadow::sensitive {

// True if a change inside a wholly new git directory may be applied: what git itself needs to know
// the repository (HEAD, refs, objects, index, logs, config) in the forms that it gives them.
// Nothing among it can make a further git directory inside of this one.
[[nodiscard]] bool belongs_to_new_git_dir(const Change& change);

// The config that replaces the one of a new git directory: what `git init` writes. `original` is
// asked only for the object format, without which the repository could not be read.
[[nodiscard]] std::string reduced_git_config(std::string_view original);

}  // namespace shadow::sensitive
