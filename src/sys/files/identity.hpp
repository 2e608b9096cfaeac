// SPDX-License-Identifier: MIT
// Which directory it is: the answer to "is this still the same project root?".

#pragma once

#include <cstdint>
#include <string>

namespace shadow::sys {

// Device, inode, and the filesystem's handle, whose generation number tells a re-used inode number
// from the old one (name_to_handle_at(2), works unprivileged). `handle` is empty where the
// filesystem has none.
struct Identity {
  std::uint64_t dev = 0;
  std::uint64_t ino = 0;
  std::string handle;
  bool operator==(const Identity&) const = default;
};

[[nodiscard]] Identity identify(int fd);

// One line of text, and back. Throws Error on text that is not one.
[[nodiscard]] std::string to_text(const Identity& identity);
[[nodiscard]] Identity identity_from_text(const std::string& text);

}  // namespace shadow::sys
