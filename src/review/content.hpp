// SPDX-License-Identifier: MIT
// One side of a patch: what git calls its mode, and its bytes.

#pragma once

#include "shadow/patch.hpp"

#include "base/hash.hpp"

#include <cstdint>
#include <string>

namespace shadow::review {

// A borrowed side of a PatchFile.
struct FileVersion {
  const Entry* entry;
  const Content* content;
  const std::string* path;  // for messages
};

[[nodiscard]] FileVersion before_of(const PatchFile& file);
[[nodiscard]] FileVersion after_of(const PatchFile& file);

// git knows three modes; 0 for what a patch does not know: nothing, directories, FIFOs, sockets and
// devices. The owner's execute bit decides, as in git.
[[nodiscard]] std::uint32_t git_mode(const Entry& entry);

// The length of what `read_content` gives: the file's size, the length of a link's target.
[[nodiscard]] std::uint64_t content_size(const FileVersion& side);

// The whole content. Throws StaleError when the file is no longer the one that the entry describes
// (its inode and times when `ino` is set, else its size) or changes while it is read, Error when it
// is larger than `limit`.
[[nodiscard]] std::string read_content(const FileVersion& side, std::uint64_t limit);

// True if git takes it for binary: a NUL among its first 8000 bytes (buffer_is_binary of git's
// xdiff-interface.c). Throws as read_content.
[[nodiscard]] bool starts_binary(const FileVersion& side);

[[nodiscard]] Hash128 hash_content(const FileVersion& side);

// True if the two sides' bytes are equal; reads in pieces. Throws as read_content.
[[nodiscard]] bool same_content(const FileVersion& a, const FileVersion& b);

}  // namespace shadow::review
