// SPDX-License-Identifier: MIT
// An end to this process's memory before that of the machine or of its container: there an
// allocation fails, which can be said, where the kernel would else kill this process or another
// one.

#pragma once

namespace shadow::sys {

// Bounds the data of this process (RLIMIT_DATA) to what is to be had now; nothing where that cannot
// be told, or where the caller has set a lower bound.
void bound_memory();

// For the time in which other programs are started: they get what the caller had set.
class WithoutMemoryBound {
 public:
  WithoutMemoryBound();
  WithoutMemoryBound(const WithoutMemoryBound&) = delete;
  WithoutMemoryBound(WithoutMemoryBound&&) = delete;
  WithoutMemoryBound& operator=(const WithoutMemoryBound&) = delete;
  WithoutMemoryBound& operator=(WithoutMemoryBound&&) = delete;
  ~WithoutMemoryBound();

 private:
  unsigned long bound_ = 0;
};

}  // namespace shadow::sys
