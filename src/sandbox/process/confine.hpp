// SPDX-License-Identifier: MIT
// The restrictions of a run, set on its pid 1 and inherited by all its processes.

#pragma once

#include "sandbox/mounts/init_context.hpp"

namespace shadow::sandbox {

// Ends with the supervisor; no new privileges; a session keyring of its own; no capabilities in the
// bounding and ambient sets, so that no exec gains one, but for those of a root caller in a project
// of somebody else; the terminal filter; Landlock scopes where the kernel has them. Pid 1 itself
// becomes undumpable: the command shares its uid and must not read its memory or take its
// descriptors.
void confine(const InitContext& context);

// Brings up the loopback of a new network namespace.
void bring_loopback_up();

// In the command, before exec: no descriptor but 0, 1 and 2 survives.
void close_inherited();

// In pid 1, after the command was started: the caller's pipes are the command's alone, or a reader
// would wait for pid 1 as well.
void release_inherited(const InitContext& context);

}  // namespace shadow::sandbox
