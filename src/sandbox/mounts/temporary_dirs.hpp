// SPDX-License-Identifier: MIT
// /tmp and /var/tmp of a session.

#pragma once

#include "sys/files/fd.hpp"

#include <string>

namespace shadow::sandbox {

// Kept with the session, so that one call finds what the call before left there: two directories of
// one layer, of which nothing else is shown. Detached mounts.
struct TemporaryDirs {
  sys::Fd tmp;
  sys::Fd var_tmp;
};

// To be called while the session's directory can be written.
[[nodiscard]] TemporaryDirs take_temporary_dirs(const std::string& session_directory);

// Attaches them.
void build_temporary_dirs(const TemporaryDirs& dirs);

}  // namespace shadow::sandbox
