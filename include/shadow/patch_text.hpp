// SPDX-License-Identifier: MIT
// Patches: what changed in files, in git's form, as programs ask for them and get them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace shadow {

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

}  // namespace shadow
