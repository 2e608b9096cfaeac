// SPDX-License-Identifier: MIT
// Writing patches: rendered by libgit2 from contents handed to it. No repository, no configuration
// and no attribute file is read.

#pragma once

#include "shadow/entry.hpp"
#include "shadow/patch_text.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

// Where one side's bytes are: the file `path` below the directory descriptor `root` (borrowed, not
// followed), or the bytes themselves. Unused for symlinks (Entry::target) and absent sides. When
// the bytes come from another file than the one the entry was taken from (a kept base), the entry's
// `ino` must be 0: else the file has to be in the state that the entry tells.
struct Content {
  int root = -1;
  std::string path;
  std::optional<std::string> bytes;
  int fd = -1;  // when set, an open file (borrowed) that holds the bytes; the entry's `ino` is 0
};

// One path of a patch. Only files and symlinks have a patch; directories, FIFOs, sockets and
// devices count as absent. git takes no path with a `.git` in it; leaving those out is the caller's
// job.
struct PatchFile {
  std::string path;
  Entry before;
  Entry after;
  Content before_content;
  Content after_content;
  // False when both contents are known to be equal, as after a chmod: they are then not read.
  bool content_changed = true;
  // User attributes and ACLs of `after`, and whether the patch states them: git has no form for
  // them.
  Xattrs attributes{};
  bool attributes_changed = false;
};

// Called for each path whose part of a patch is wholly written: the bytes of its after side, from
// which it was made, or null when it has none or they were not read because only its mode differs.
// Left out are files that are too large to be read, and those that a patch does not name.
using PatchWritten = std::function<void(const std::string& path, const std::string* after)>;

// Writes the patch that turns every `before` into its `after`, sorted by path, a deletion before a
// creation of the same path. Before all of them stands a line, which begins with "# ", for each
// file of other attributes. Each piece is one whole line (with its newline) except in binary hunks.
// With `binary`, `git apply` on the before tree gives the after tree. Throws StaleError when a file
// was rewritten after it was looked at, and Error for a path that is not relative and plain.
void write_patch(const std::vector<PatchFile>& files, const PatchOptions& options,
                 const PatchSink& sink, const PatchWritten& written = {});

// The same files as write_patch, one row each, in its order. Without counting lines no content is
// read but for finding renames, and a file counts as changed as its `content_changed` says.
[[nodiscard]] std::vector<FileSummary> summarize(const std::vector<PatchFile>& files,
                                                 const PatchOptions& options, CountLines count);

}  // namespace shadow
