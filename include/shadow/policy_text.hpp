// SPDX-License-Identifier: MIT
// A policy in words: for people, for programs, and for the record of a run.

#pragma once

#include "shadow/policy.hpp"

#include <string>
#include <vector>

namespace shadow {

// A variable that the caller has and the run does not, and who says so.
struct KeptBack {
  std::string name;
  Origin origin = Origin::BuiltIn;
  bool operator==(const KeptBack&) const = default;
};

// For --print-policy: every setting with its origin, one a line, what this kernel leaves open (by
// its title in shadow-security(7)), and which variables are kept back.
[[nodiscard]] std::string policy_text(const Policy& policy, const std::vector<std::string>& open,
                                      const std::vector<KeptBack>& kept_back);
// The same as one JSON object.
[[nodiscard]] std::string policy_json(const Policy& policy, const std::vector<std::string>& open,
                                      const std::vector<KeptBack>& kept_back);
// For the record of a run: compact JSON of the profile and of what deviates from the built-in
// default. Values of variables are left out: they may be secrets.
[[nodiscard]] std::string policy_record(const Policy& policy);

}  // namespace shadow
