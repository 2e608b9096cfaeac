// SPDX-License-Identifier: MIT
// By what the sessions of `shadow doctor` are known, to who removes what a killed one has left.

#pragma once

#include "sys/processes/process.hpp"

#include <array>
#include <string>

namespace shadow::session {

// The agent of a trial run's session (doctor/doctor_trial), before the tag of the process behind
// it; the beginning of the name of the directory that holds its project, and the project's name.
inline constexpr const char* kDoctorAgent = "shadow doctor ";
inline constexpr const char* kDoctorPlace = "shadow-doctor-";
inline constexpr const char* kDoctorProject = "project";

// Where that directory is made: in the first of these that takes it.
[[nodiscard]] inline std::array<std::string, 4> doctor_places() {
  return {sys::environment("TMPDIR").value_or("/tmp"), "/var/tmp",
          sys::environment("HOME").value_or("/root"), "/dev/shm"};
}

}  // namespace shadow::session
