// SPDX-License-Identifier: MIT
// Patches: what changed in files, in git's form, rendered by libgit2 from contents handed to it.
// No repository, no configuration and no attribute file is read.

#pragma once

#include "shadow/entry.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
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

// Which deleted and added files are shown as one that was renamed: none, those of the same content,
// or also those of similar content, as git counts it.
enum class Renames : std::uint8_t { Off, Exact, Similar };

// The form of a patch. Sizes are in bytes.
struct PatchOptions {
  Renames renames = Renames::Similar;
  unsigned context_lines = 3;  // around each change
  bool binary = false;  // binary hunks that `git apply` takes, instead of "Binary files differ"
  // Above this many deleted x added pairs `Similar` becomes `Exact`; a pair costs about 2 us.
  std::size_t max_similar_pairs = 250'000;
  // Larger files are binary; without `binary` they are not read, and have no "index" line. The same
  // holds for files of more than 8 MiB that begin as binary ones do.
  std::size_t max_text_bytes = std::size_t{32} << 20U;
};

// The kind of a piece of patch text, for colour.
enum class PatchPart : std::uint8_t {
  FileHeader,
  HunkHeader,
  Context,
  Added,
  Removed,
  Note,
  Binary
};

// Takes a patch piece by piece. What it throws comes out of whatever writes the patch.
using PatchSink = std::function<void(PatchPart part, std::string_view bytes)>;

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

// One file of a summary. `letter` is git's: A D M T R. `old_path` only for R. `similarity` in
// percent for R. Lines are not counted for binary files, and `binary` is known only when lines are
// counted; sizes are in bytes.
struct FileSummary {
  char letter = 'M';
  std::string path;
  std::string old_path;
  unsigned similarity = 0;
  bool binary = false;
  bool same_content = false;  // a rename, or a change of mode, alone; known when lines are counted
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
  std::uint64_t old_size = 0;
  std::uint64_t new_size = 0;
  std::uint32_t old_mode = 0;  // git's mode: 0100644, 0100755, 0120000 or 0
  std::uint32_t new_mode = 0;
};

// Whether a summary counts lines, for which all contents are read.
enum class CountLines : std::uint8_t { No, Yes };

// The same files as write_patch, one row each, in its order. Without counting lines no content is
// read but for finding renames, and a file counts as changed as its `content_changed` says.
[[nodiscard]] std::vector<FileSummary> summarize(const std::vector<PatchFile>& files,
                                                 const PatchOptions& options, CountLines count);

}  // namespace shadow
