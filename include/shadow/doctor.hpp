// SPDX-License-Identifier: MIT
// Finds by trying whether this machine has what shadow needs.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shadow {

enum class Health : std::uint8_t {
  Ok,
  Degraded,  // shadow works; something that can be asked of it does not, or lasts less
  Cannot     // runs are refused
};

// "ok", "degraded", "cannot"
[[nodiscard]] std::string_view name_of(Health health);

struct Finding {
  std::string name;  // what was tried: "user namespaces"
  Health health = Health::Ok;
  std::string cause;  // of anything but Ok; with Ok a remark, or ""
  std::string mend;   // the exact remedy, of one or more lines; "" where there is none
};

// The places to examine. Absolute paths; "" is left out.
struct DoctorRequest {
  std::string state;  // must exist
  std::string home;
  std::string project;  // of the directory that the caller stands in
};

// Tries each thing in children of its own; changes nothing but a scratch directory in the state
// directory, which it removes. Single-threaded callers only.
[[nodiscard]] std::vector<Finding> examine(const DoctorRequest& request);

[[nodiscard]] Health worst(const std::vector<Finding>& findings);

// The AppArmor profile for programs at these paths.
[[nodiscard]] std::string apparmor_profile(const std::string& program,
                                           const std::string& review_program);
// The shell's command that puts it in its place and loads it.
[[nodiscard]] std::string load_apparmor_profile(const std::string& program,
                                                const std::string& review_program);

}  // namespace shadow
