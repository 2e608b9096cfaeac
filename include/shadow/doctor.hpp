// SPDX-License-Identifier: MIT
// Finds by trying whether this machine has what shadow needs.

#pragma once

#include "shadow/findings.hpp"

#include <string>
#include <vector>

namespace shadow {

// The places to examine. Absolute paths; "" is left out.
struct DoctorRequest {
  std::string state;  // must exist
  std::string home;
  std::string project;  // of the directory that the caller stands in
};

// Tries each thing in children of its own; changes nothing but a scratch directory in the state
// directory, which it removes. Single-threaded callers only.
[[nodiscard]] std::vector<Finding> examine(const DoctorRequest& request);

// The AppArmor profile for programs at these paths.
[[nodiscard]] std::string apparmor_profile(const std::string& program,
                                           const std::string& review_program);
// The shell's command that puts it in its place and loads it.
[[nodiscard]] std::string load_apparmor_profile(const std::string& program,
                                                const std::string& review_program);

}  // namespace shadow
