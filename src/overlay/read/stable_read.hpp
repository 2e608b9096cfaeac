// SPDX-License-Identifier: MIT
// Reading a file that somebody may be writing.

#pragma once

#include "shadow/entry.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace shadow::overlay {

// write(2) stamps a file before it writes, and may still be at it: of a file so young its stamps do
// not tell whether what was read is whole, and only a second look does.
[[nodiscard]] bool is_young(const Entry& entry);

// All bytes of an open file that is `reviewed`; read a second time where it is young. nullopt when
// it is not that entry, or not any more, or changes as it is read. Throws SysError, and Error when
// it is larger than `limit`.
[[nodiscard]] std::optional<std::string> read_stable(int fd, const Entry& reviewed,
                                                     std::uint64_t limit);

// Refuses, with StaleError, what "cannot read" or "cannot discard" says, because the path is not
// what was looked at before.
[[noreturn]] void throw_changed_meanwhile(std::string_view task, const std::string& path);

}  // namespace shadow::overlay
