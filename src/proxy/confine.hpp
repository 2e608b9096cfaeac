// SPDX-License-Identifier: MIT
// The restrictions of the proxy itself, which reads data from a run and from servers.

#pragma once

namespace shadow::proxy {

// Before any thread is made, all of which inherit it: ends with the supervisor; for root, the ids
// of nobody; no capabilities, no new privileges; Landlock, where the kernel has it: nothing to
// write, nothing to read but what a resolver needs. Throws Error.
void confine_process();

// Once all threads are there: no more processes or threads, no program, few descriptors. Throws
// Error.
void confine_threads();

}  // namespace shadow::proxy
