// SPDX-License-Identifier: MIT
// Opening what is only looked at without leaving a mark: a run sees the access times of its files,
// and learns from them when they are reviewed. Only the owner of a file may ask for that (open(2));
// where the caller may not, it is opened as ever.

#pragma once

#include "sys/files/fd.hpp"

#include <string>
#include <string_view>

namespace shadow::sys {

// As try_open_at and try_open_beneath with these flags, for reading.
[[nodiscard]] Fd try_open_quietly_at(int dirfd, const std::string& name, int flags);
[[nodiscard]] Fd try_open_quietly(int root, std::string_view path, int flags);

// As open_beneath.
[[nodiscard]] Fd open_quietly(int root, std::string_view path, int flags);

}  // namespace shadow::sys
