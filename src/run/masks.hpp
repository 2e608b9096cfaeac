// SPDX-License-Identifier: MIT
// The masks of a home overlay, writable or not: whiteouts in its upper over what a run is not to
// see. They cost nothing in the kernel and hold for names that appear later.
//
// A run can lift one: it makes a file of its own over the whiteout and removes that again. Where
// the real home has such a file the kernel puts a whiteout back, where it has none (yet) it does
// not. So every run first looks whether a directory with masks was changed, and masks anew if so.

#pragma once

#include "sandbox/setup/plan.hpp"
#include "session/directory/session_dir.hpp"

namespace shadow::run {

// Makes the home's layer that the plan needs, and masks the state and every secret of the plan
// whose parent directory exists. A whiteout in a directory that the lower does not have would show
// as a device, so the others wait until their parent exists.
void seed_masks(const session::SessionDir& session, const sandbox::SessionPlan& plan);

// Before every other run: masks anew if a mask may be missing. Whether it did.
[[nodiscard]] bool renew_masks(const session::SessionDir& session,
                               const sandbox::SessionPlan& plan);

}  // namespace shadow::run
