// SPDX-License-Identifier: MIT
// The other programs of this package.

#pragma once

#include <string>

namespace shadow::sys {

// Possible places of a program that is not started by hand: in a build tree beside this one; once
// installed in libexec, either relative to this program, even if the tree was moved as a whole, or
// where the build was configured to find it.
struct HelperPlaces {
  std::string beside;
  std::string moved;
  std::string installed;
};
[[nodiscard]] HelperPlaces helper_places(const std::string& name);

// The program that users start, seen from one that they do not: beside it in a build tree, or in
// bin.
[[nodiscard]] std::string launcher_path();

// Replaces this process; returns only when it could not, and errno says why. Allocates nothing.
void execute_helper(const HelperPlaces& places, char* const* argv, char* const* environment);

}  // namespace shadow::sys
