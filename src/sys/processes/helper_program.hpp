// SPDX-License-Identifier: MIT
// The other programs of this package.

#pragma once

#include <string>

namespace shadow::sys {

// Where a program lies that is not meant to be started by hand: beside this one in a build tree;
// once installed in libexec, which is where this one is installed even if that was moved as a
// whole, or is where the build was configured to find it.
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
