// SPDX-License-Identifier: MIT
// The parts of an examination. Each appends what it found.

#pragma once

#include "shadow/findings.hpp"
#include "shadow/session.hpp"

#include "sandbox/process/probe.hpp"

#include <string>
#include <vector>

namespace shadow::doctor {

// The places to examine. Absolute paths; "" is left out.
struct DoctorRequest {
  std::string state;  // must exist
  std::string home;
  std::string project;  // of the directory that the caller stands in
};

using Findings = std::vector<Finding>;

// The result of a probe as a finding that is Ok or `otherwise`.
[[nodiscard]] Finding found(const std::string& name, const sandbox::ProbeResult& result,
                            Health otherwise);

// Namespaces, mounts, filters, limits. False when there are no user namespaces: nothing that needs
// them need be tried.
bool check_host(Findings& findings);

// The filesystem of the state directory, and an overlay on it.
void check_state(Findings& findings, const std::string& state, bool namespaces);

// Mounts below, foreign owners, and the view itself. `state` holds the scratch layer.
void check_project(Findings& findings, const DoctorRequest& request, bool namespaces);
void check_home(Findings& findings, const DoctorRequest& request, bool namespaces);

// Sessions of a project that was replaced by another directory: their runs are refused.
void check_sessions(Findings& findings, const StateDir& state, const std::string& project);

// A run, one that joins it, what that sees of a save meanwhile, and runs with the other homes, by
// the code that `shadow run` uses. `home_overlay` tells whether the home can be read through.
void check_runs(Findings& findings, const StateDir& state, bool home_overlay);

// The AppArmor profile for programs at these paths.
[[nodiscard]] std::string apparmor_profile(const std::string& program,
                                           const std::string& review_program);
// The shell's command that puts it in its place and loads it.
[[nodiscard]] std::string load_apparmor_profile(const std::string& program,
                                                const std::string& review_program);

}  // namespace shadow::doctor
