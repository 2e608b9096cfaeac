// SPDX-License-Identifier: MIT
// Which control groups the caller may make groups in.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::sandbox {

enum class Controller : std::uint8_t { Memory, Cpu, Pids };
constexpr std::size_t kControllers = 3;
constexpr std::array<Controller, kControllers> kAllControllers = {
    Controller::Memory, Controller::Cpu, Controller::Pids};
[[nodiscard]] std::string_view name_of(Controller controller);  // as the kernel calls it

// 0: not limited.
struct CgroupLimits {
  std::uint64_t memory_bytes = 0;
  std::uint64_t milli_cpus = 0;
  std::uint64_t pids = 0;

  [[nodiscard]] bool any() const { return memory_bytes != 0 || milli_cpus != 0 || pids != 0; }
  bool operator==(const CgroupLimits&) const = default;
};

// The place in which groups for one controller can be created.
struct ControllerPlace {
  enum class Kind : std::uint8_t {
    None,
    V1,      // below the caller's own group of that hierarchy
    V2,      // below an ancestor of the caller's group
    V2Alone  // below the caller's own group, once the caller, alone in it, has moved to a leaf
  };
  Kind kind = Kind::None;
  std::string parent;  // absolute directory
  std::string why;     // with None: what is missing
  std::string way{};   // with None: what root does to have it there; "" where nothing is known
};

struct CgroupHost {
  std::array<ControllerPlace, kControllers> places;
  bool systemd = false;  // what would delegate them

  [[nodiscard]] const ControllerPlace& place(Controller controller) const {
    return places.at(static_cast<std::size_t>(controller));
  }
  [[nodiscard]] bool can(Controller controller) const {
    return place(controller).kind != ControllerPlace::Kind::None;
  }
};

// Looks at /proc/self/cgroup, /proc/self/mountinfo and the control files there. All controllers of
// v2 get one place, because a process is in one group of v2 only: the nearest that offers the most
// of the wanted ones. What is not wanted is not looked for.
[[nodiscard]] CgroupHost probe_cgroups(const std::vector<Controller>& wanted);

// The same from texts: the membership ("0::/path" lines) and mount table of a process. `self` is
// the pid that would be moved.
[[nodiscard]] CgroupHost probe_cgroups(const std::vector<Controller>& wanted,
                                       std::string_view membership, std::string_view mountinfo,
                                       int self);

}  // namespace shadow::sandbox
