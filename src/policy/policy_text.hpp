// SPDX-License-Identifier: MIT
// A policy in words: for people, for programs, and for the record of a run.

#pragma once

#include "policy/policy.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shadow::policy {

// A variable that the caller has and the run does not, and the source of that.
struct WithheldVariable {
  std::string name;
  Origin origin = Origin::BuiltIn;
  bool operator==(const WithheldVariable&) const = default;
};

// The conditions of a run here, whatever its policy.
struct Circumstances {
  std::vector<std::string> open;  // gaps of this kernel, by their titles in shadow-security(7)
  std::vector<WithheldVariable> withheld;
  std::optional<std::uint32_t> rights_over;  // root's: the user over whose files a run has them
};

// For --print-policy: every setting with its origin, one a line, and the circumstances.
[[nodiscard]] std::string policy_text(const Policy& policy, const Circumstances& here);
// The same as one JSON object.
[[nodiscard]] std::string policy_json(const Policy& policy, const Circumstances& here);
// For the record of a run: compact JSON of the profile and of what deviates from the built-in
// default. Values of variables are left out: they may be secrets.
[[nodiscard]] std::string policy_record(const Policy& policy);

}  // namespace shadow::policy
