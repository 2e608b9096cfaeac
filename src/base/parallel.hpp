// SPDX-License-Identifier: MIT
// Work on many files, divided among the processors.

#pragma once

#include <cstddef>
#include <functional>

namespace shadow {

// A share of looks at files, or of reading them: several times what starting a thread costs.
constexpr std::size_t kShareOfFiles = 32;

// Calls work(index) once for each index below `count`, and returns when all calls have ended. Done
// by as many threads as this process may use processors (8 at most), the caller's among them,
// `share` neighbours at a time: those of a sorted list lie in one directory, whose lock lets one
// thread in at a time. With no more than one share, in the caller's alone.
//
// A call may write to what belongs to its index alone, and must not depend on the order. When one
// throws, no further share is begun, and what the lowest index has thrown is thrown here.
void in_parallel(std::size_t count, std::size_t share,
                 const std::function<void(std::size_t)>& work);

}  // namespace shadow
