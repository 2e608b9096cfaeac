// SPDX-License-Identifier: MIT
// A program may be started without standard input, output or error. What it opens next would get
// their numbers, and be read and written in their place.

#pragma once

namespace shadow::sys {

// Puts /dev/null where a standard stream is closed, first of all in a program: there is nothing to
// read, and a write fails. Programs that are executed later find the stream closed, as it was.
void fill_standard_streams() noexcept;

}  // namespace shadow::sys
