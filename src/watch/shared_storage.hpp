// SPDX-License-Identifier: MIT
// Filesystems whose files change without a word from this kernel.

#pragma once

namespace shadow::watch {

// True if the file is on a filesystem in which another machine, or a server program, may change
// files: inotify(7) reports only what this kernel was asked to do. False where statfs(2) does not
// say.
[[nodiscard]] bool changes_elsewhere(int fd);

}  // namespace shadow::watch
