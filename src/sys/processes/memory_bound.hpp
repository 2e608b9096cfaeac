// SPDX-License-Identifier: MIT
// An end to this process's memory before that of the machine or of its container: there an
// allocation fails, which can be said, where the kernel would else kill this process or another
// one.

#pragma once

namespace shadow::sys {

// Bounds the data of this process (base/data_bound) to what is to be had now; nothing where that
// cannot be told, or where the caller has set a lower bound.
void bound_memory();

}  // namespace shadow::sys
