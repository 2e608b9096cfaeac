// SPDX-License-Identifier: MIT
// Restricts what one run sees of the project's view, in its own mount namespace.

#pragma once

#include "sys/files/fd.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include <sys/types.h>

namespace shadow::sandbox {

// Covers every file of the project that looks like a secret with /dev/null: reading it gives
// nothing, and because nothing of the layer changes, a review shows no deletion. Walks the whole
// view (git directories left out), links not followed, so it is done only when asked for. Files
// that appear later are not covered. Throws Error when there are more than `most`.
void mask_project_secrets(const std::string& project, const std::vector<std::string>& patterns,
                          std::size_t most);

// A detached copy of what the view has at a path below the project, of this type (S_IFREG, ...; 0
// for any). Throws Error where a run has put a link in the way or something else there.
[[nodiscard]] sys::Fd clone_below(const std::string& project, const std::string& below,
                                  mode_t kind);

// Leaves one file of the project: everything else is covered by an empty tree that holds its parent
// directories and `cwd`. The file is the view's own, so writing to it is a change of the session; a
// program that replaces it by renaming another file over it gets EBUSY.
void show_only(const std::string& project, const std::string& file, const std::string& cwd);

}  // namespace shadow::sandbox
