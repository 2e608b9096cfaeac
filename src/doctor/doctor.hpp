// SPDX-License-Identifier: MIT
// Finds by trying whether this machine has what shadow needs.

#pragma once

#include "shadow/findings.hpp"

#include "doctor/doctor_checks.hpp"

#include <vector>

namespace shadow::doctor {

// Tries each thing in children of its own; changes nothing but a scratch directory in the state
// directory, which it removes. Single-threaded callers only.
[[nodiscard]] std::vector<Finding> examine(const DoctorRequest& request);

}  // namespace shadow::doctor
