// SPDX-License-Identifier: MIT
// Named places at which a test makes the program die or fail. Compiled in with -Dfail_points=true
// only; else SHADOW_FAIL_POINT is nothing.
//
//   SHADOW_FAIL=NAME:N=kill     SIGKILL to itself when NAME is passed for the Nth time
//   SHADOW_FAIL=NAME:N=ENOSPC   throws SysError{ENOSPC} there (also EIO, EACCES, EROFS, EDQUOT,
//                               EPERM, EINVAL)
//   SHADOW_FAIL=*:N=kill        any name
//   SHADOW_FAIL=NAME:N=stop     SIGSTOP, for a test that edits files in between

#pragma once

#include "shadow_config.hpp"

#if SHADOW_FAIL_POINTS
namespace shadow {
void pass_fail_point(const char* name);
}
#define SHADOW_FAIL_POINT(name) ::shadow::pass_fail_point(name)
#else
#define SHADOW_FAIL_POINT(name) static_cast<void>(0)
#endif
