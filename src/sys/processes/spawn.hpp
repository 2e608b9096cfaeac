// SPDX-License-Identifier: MIT
// Children that share this process's memory, as vfork(2) makes them: no page table is copied and
// no page is copied on a first write, which is most of what fork(2) costs here.

#pragma once

#include <cstdint>
#include <functional>

#include <sys/types.h>

namespace shadow::sys {

enum class Descriptors : std::uint8_t {
  Copied,  // the child has its own, as after fork(2)
  Shared   // what the child opens or closes is opened or closed here
};

// Runs `work` in a child with a stack of its own while this process waits, until the child has
// executed a program or ended (vfork(2)). What `work` writes to memory stays. It must not throw;
// the child ends with status 0 when it returns. All signals are blocked in both meanwhile, and the
// mask is as before when this returns: a stopped child would leave its parent where no signal
// reaches it. Returns the child's pid, to be waited for. Throws SysError.
pid_t run_sharing_memory(Descriptors descriptors, const std::function<void()>& work);

}  // namespace shadow::sys
