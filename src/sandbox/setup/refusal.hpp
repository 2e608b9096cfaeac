// SPDX-License-Identifier: MIT
// Finds the part of this machine that refuses namespaces and mounts, and advises what to change.
// The kernel says the same EPERM for a sysctl, AppArmor, a container's filter and a chroot.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shadow::sandbox {

enum class Container : std::uint8_t { None, Docker, Podman, Kubernetes };

struct Surroundings {
  std::string apparmor_label;         // of this process, without its mode; "" for none
  bool apparmor_restricts = false;    // kernel.apparmor_restrict_unprivileged_userns
  bool userns_clone_off = false;      // Debian's kernel.unprivileged_userns_clone
  std::vector<std::string> closed;    // which user.max_*_namespaces are 0
  bool outermost = true;              // in the machine's own user namespace
  bool seccomp_filter = false;        // this process has one
  bool system_administrator = false;  // it has CAP_SYS_ADMIN
  bool chrooted = false;              // its root is no mount's
  Container container = Container::None;
};

[[nodiscard]] Surroundings look_around();

struct Refusal {
  std::string cause;  // "" where errno says all that is known
  std::string advice;
};

// The part of a user namespace that was refused: its creation, or the mapping of its ids.
enum class NamespacePart : std::uint8_t { Making, Mapping };

// The cause for which the doctor prints a profile.
inline constexpr const char* kAppArmorRestricts = "AppArmor restricts them on this system";

// Pure.
[[nodiscard]] Refusal why_no_namespace(NamespacePart part, int error, const Surroundings& around);

// Advice for a run's namespaces inside of the session's, where the machine's own limits cannot be
// read.
[[nodiscard]] std::string advice_on_nesting(int error, const Surroundings& around);

// Advice on a refused mount; "" if there is none. Pure.
[[nodiscard]] std::string advice_on_mount(int error, const Surroundings& around);

// Advice on a /proc that the kernel refuses because parts of the present one are covered. Pure.
[[nodiscard]] std::string advice_on_covered_proc(const Surroundings& around);

}  // namespace shadow::sandbox
