// SPDX-License-Identifier: MIT
// Making an upper's directories merge with the lower again, without changing the view.

#pragma once

#include <string>

namespace shadow::overlay {

// Goes along `path`, and wherever a directory on the way (the last component excluded) is opaque,
// says the same by whiteouts and opaque directories one level further down. Returns false when a
// parent is not a directory of the upper any more, so that nothing at `path` can be in it.
bool lift_parents(int upper, int lower, const std::string& path);

// The same for the directory `path` itself.
void lift(int upper, int lower, const std::string& path);

}  // namespace shadow::overlay
