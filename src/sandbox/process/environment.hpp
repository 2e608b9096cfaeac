// SPDX-License-Identifier: MIT
// The environment of a run.

#pragma once

#include "policy/policy.hpp"
#include "policy/policy_text.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace shadow::sandbox {

struct EnvironmentFacts {
  std::string session;  // its id
  std::string agent;
  std::string project;  // absolute
  std::string cwd;      // of the command, absolute
};

// True if a variable of this name is withheld by default: it looks like a secret, or it leads to a
// socket of the host. Others are withheld for their values, see
// sandbox/secrets/secret_variables.hpp.
[[nodiscard]] bool is_withheld(std::string_view name);

// "NAME=VALUE" for each variable of the run: the caller's without what is withheld (or only the
// minimal ones when the policy clears it), then the policy's own rules, then what shadow says:
// SHADOW_SESSION, SHADOW_INTERLOCUTOR, PWD, GIT_OPTIONAL_LOCKS. `caller` is as `environ`.
[[nodiscard]] std::vector<std::string> run_environment(const char* const* caller,
                                                       const policy::Policy& policy,
                                                       const EnvironmentFacts& facts);

// The environment of a command that a run starts as a run of its own: all of `caller` but what the
// rules take away, with what they set.
[[nodiscard]] std::vector<std::string> change_environment(const char* const* caller,
                                                          const policy::Policy& policy,
                                                          const std::string& session,
                                                          const std::string& agent);

// The names of the caller's variables that are not passed on, in their order.
[[nodiscard]] std::vector<policy::WithheldVariable> withheld_variables(
    const char* const* caller, const policy::Policy& policy, const EnvironmentFacts& facts);

// True if Lectic started this program, judged by variables that it sets for its tools and users do
// not set.
[[nodiscard]] bool called_by_lectic(const char* const* caller);

}  // namespace shadow::sandbox
