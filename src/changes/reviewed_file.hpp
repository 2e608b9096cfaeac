// SPDX-License-Identifier: MIT
// Opening the files of a change that was found a moment ago.

#pragma once

#include "shadow/entry.hpp"

#include "sys/files/fd.hpp"

#include <string>

namespace shadow::changes {

// Opens a file for reading that was found as `reviewed`. Empty where the caller may not read it.
// Throws StaleError when it has gone or another one is there by now: what follows the project
// replaces files of a live session at any time, and what is recorded about one is not about the
// other. It may have been written in place: whoever reads it has to know that.
[[nodiscard]] sys::Fd open_reviewed(int root, const std::string& path, const Entry& reviewed);

// The whole of one, at most kMostBytesOfAFile. Throws StaleError.
[[nodiscard]] std::string read_reviewed(int root, const std::string& path, const Entry& reviewed);

}  // namespace shadow::changes
