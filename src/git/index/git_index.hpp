// SPDX-License-Identifier: MIT
// git's index file: the names in it, or the entries with what git knew of each file. libgit2 would
// check the file's hash and refuse a split index; a project of 100 000 files would wait for that.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::git {

struct IndexNames {
  std::vector<std::string> names;  // as they stand in the file; may repeat
  std::string shared_id;           // of a split index: hex name of the file with the other entries
};

// The most that is read of an index.
constexpr std::uint64_t kMostOfIndex = std::uint64_t{1} << 30U;

// nullopt when the bytes are no index of version 2, 3 or 4. Of a split index, the names in this
// file.
enum class IndexKinds : std::uint8_t { All, Links };
[[nodiscard]] std::optional<IndexNames> parse_index(std::string_view bytes,
                                                    IndexKinds kinds = IndexKinds::All);

// The file beside the index at this path that holds its other entries; nullopt if it is not split.
[[nodiscard]] std::optional<std::string> shared_file(const std::string& path,
                                                     const std::string& shared_id);

// One entry. `size` and `ino` are the low 32 bits of the file's; a gitlink (a submodule's commit)
// and a directory of a sparse index are marked by `mode`.
struct IndexEntry {
  std::string path;
  std::string id;  // of the blob, raw bytes
  std::int64_t ctime_ns = 0;
  std::int64_t mtime_ns = 0;
  std::uint32_t ino = 0;
  std::uint32_t mode = 0;
  std::uint32_t size = 0;
  std::uint32_t stage = 0;  // 1 to 3: unmerged

  // assume-unchanged, skip-worktree or intent-to-add: git itself does not compare the file.
  bool unwatched = false;
};

// A split index has an entry without a path for each one of the shared file that it replaces.
struct IndexEntries {
  std::vector<IndexEntry> entries;
  std::string shared_id;
  std::vector<std::uint32_t> deleted;   // positions in the shared file, ascending
  std::vector<std::uint32_t> replaced;  // likewise
};

[[nodiscard]] std::optional<IndexEntries> parse_index_entries(std::string_view bytes);

// Puts a split index over its shared one, sorted by path. nullopt when they do not go together.
[[nodiscard]] std::optional<std::vector<IndexEntry>> join_split_index(
    IndexEntries split, std::vector<IndexEntry> shared);

// All entries of the index at this path, which a symlink may lead to; sorted by path.
struct IndexFile {
  std::vector<IndexEntry> entries;
  std::int64_t written_ns = 0;  // a file as young as this may have changed since without a trace
};
[[nodiscard]] std::optional<IndexFile> read_index_file(const std::string& path);

}  // namespace shadow::git
