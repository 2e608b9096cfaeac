// SPDX-License-Identifier: MIT
// Many objects as one pack: a file for each costs more than all else of an apply.

#pragma once

#include <git2.h>

#include <string>
#include <vector>

namespace shadow::git {

// Puts objects of `odb` into a pack below `staging`, an absolute path; returns its name,
// "pack-" and 40 hex digits. Each is read with its hash checked.
[[nodiscard]] std::string write_pack(git_odb* odb, const std::vector<git_oid>& ids,
                                     const std::string& staging);

}  // namespace shadow::git
