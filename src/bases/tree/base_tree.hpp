// SPDX-License-Identifier: MIT
// The base tree: what the project's files were when the session could first read them. A file of
// the session's directory, written once and only completed later. It is asked for a path of which
// the ledger knows nothing certain.

#pragma once

#include "shadow/base.hpp"
#include "shadow/entry.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::bases {

// A file or a symlink. Of a file's content one of the two is known, or neither.
struct TreeEntry {
  std::string path;
  Entry entry;         // kind, mode, size, ino, times, target
  std::string blob;    // name in the blobs
  std::string git_id;  // of the blob in the project's object store, in hexadecimal digits
};

// A directory's rights, which its own times do not tell: they move with every name in it.
struct TreeDirectory {
  std::string path;
  std::uint32_t mode = 0;
};

// The tree's answer for a path that was not a directory.
enum class TreeAnswer : std::uint8_t {
  Existed,
  Absent,
  Unknown  // it may have been there
};

struct BaseTree {
  std::vector<TreeEntry> entries;  // sorted by path

  // Sorted: what changed before it was looked at, or was not looked at. What is below is as
  // unknown, where it is not among the entries.
  std::vector<std::string> unknown{};

  // Sorted by path: those that were there when the session began and were looked into.
  std::vector<TreeDirectory> directories{};

  // Files whose content was to be kept and was not, because of the limits.
  std::uint64_t left_out = 0;

  [[nodiscard]] const TreeEntry* find(std::string_view path) const;
  // Those in a directory, at any depth.
  [[nodiscard]] std::span<const TreeEntry> below(std::string_view directory) const;
  [[nodiscard]] TreeAnswer answer_for(std::string_view path) const;
  [[nodiscard]] std::optional<std::uint32_t> mode_of_directory(std::string_view path) const;
};

inline constexpr const char* kBaseTree = "base-tree";

// The bytes of the file, and back; nullopt for anything else than what encode made.
[[nodiscard]] std::string encode(const BaseTree& tree);
[[nodiscard]] std::optional<BaseTree> decode_base_tree(std::string_view bytes);

[[nodiscard]] bool has_base_tree(int session);
[[nodiscard]] std::optional<BaseTree> read_base_tree(int session);

// `left_out` alone, without a look at the rest.
[[nodiscard]] std::uint64_t left_out_of_base_tree(int session);

// The names of the blobs that the tree needs.
[[nodiscard]] std::set<std::string> blobs_of(const BaseTree& tree);

// The entry as a base of the session; its text may still lie in the project's object store.
[[nodiscard]] Base base_of_tree(const TreeEntry& entry);
[[nodiscard]] BaseContent content_of(const TreeEntry& entry);

// The base of a directory, of which `real` is what there is now; nullopt if the tree does not know
// its rights.
[[nodiscard]] std::optional<Base> base_of_directory(const BaseTree& tree, std::string_view path,
                                                    const Entry& real);

// A directory of which the rights alone are known.
[[nodiscard]] Base directory_of_mode(std::uint32_t mode);

// The base of a path at which the tree has no file or link: nothing, or a directory of which the
// rights alone are known. nullopt where the tree does not know.
[[nodiscard]] std::optional<Base> base_without_file(const BaseTree& tree, std::string_view path);

// True if the real entry, which looks older than the session, is another one than the session began
// with: a directory with old files was moved into the place of another.
[[nodiscard]] bool contradicts(const TreeEntry& known, const Entry& real);

// True if the project's file came to the path since the session began, as far as the tree tells.
[[nodiscard]] bool came_since(const BaseTree& tree, std::string_view path, const Entry& real);

}  // namespace shadow::bases
