// SPDX-License-Identifier: MIT
// The other programs of this package.

#pragma once

#include <string>

namespace shadow::sys {

// Where a program lies that is not meant to be started by hand: beside this one in a build tree, in
// libexec once installed.
struct HelperPlaces {
  std::string beside;
  std::string installed;
};
[[nodiscard]] HelperPlaces helper_places(const std::string& name);

// Replaces this process; returns only when it could not, and errno says why. Allocates nothing.
void execute_helper(const HelperPlaces& places, char* const* argv, char* const* environment);

}  // namespace shadow::sys
