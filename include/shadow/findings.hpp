// SPDX-License-Identifier: MIT
// Findings on this machine: the parts that work for shadow, and advice on those that do not.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shadow {

// Whether a part of the machine works for shadow.
enum class Health : std::uint8_t {
  Ok,
  Degraded,  // shadow works; something that can be asked of it does not, or lasts less
  Cannot     // runs are refused
};

// "ok", "degraded", "cannot"
[[nodiscard]] std::string_view name_of(Health health);

// What became of one trial.
struct Finding {
  std::string name;  // what was tried: "user namespaces"
  Health health = Health::Ok;
  std::string cause;  // of anything but Ok; with Ok a remark, or ""
  std::string mend;   // the exact remedy, of one or more lines; "" where there is none
};

// That of the machine as a whole; Ok without any finding.
[[nodiscard]] Health worst(const std::vector<Finding>& findings);

}  // namespace shadow
