// SPDX-License-Identifier: MIT
// Whole files: read, write, copy.

#pragma once

#include "sys/files/fd.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace shadow::sys {

// Reads up to end of file. Throws SysError; Error when more than `limit` bytes come.
[[nodiscard]] std::string read_all(int fd, std::uint64_t limit = std::uint64_t{1} << 40U);

// The file's content, or nullopt when there is none (ENOENT, ENOTDIR). Regular files only, not
// through a symlink.
[[nodiscard]] std::optional<std::string> read_file_at(int dirfd, const std::string& name,
                                                      std::uint64_t limit = 1U << 30U);

// The content of a regular file, wherever links lead; empty if there is none, it is larger than
// `limit` or cannot be read.
[[nodiscard]] std::string read_if_file(const std::string& path, std::uint64_t limit);

// Fills `into` from `offset`, as far as the file goes. Returns the number of bytes. Throws
// SysError.
std::size_t read_at(int fd, char* into, std::size_t room, off_t offset);

// The size of a regular file. Throws StaleError when it is another thing: so it is when a name got
// that between a look and the open. Throws SysError.
[[nodiscard]] off_t size_of(int fd);

// An error names the file if the caller does.
void write_all(int fd, std::string_view bytes, const std::string& name = {});

// Writes a new file and renames it over `name`: readers see the old or the new content, whole.
// Not synced to disk.
void replace_file_at(int dirfd, const std::string& name, std::string_view bytes, mode_t mode);

// Copies the content of `from` (from its start) to `to`, holes kept, by FICLONE, else
// copy_file_range(2), else read and write. Returns the number of bytes. Throws SysError.
std::uint64_t copy_contents(int from, int to);

// The target of a symlink below `dirfd`, of any length. Throws SysError.
[[nodiscard]] std::string read_link_at(int dirfd, const std::string& name);

}  // namespace shadow::sys
