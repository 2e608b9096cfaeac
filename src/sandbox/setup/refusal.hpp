// SPDX-License-Identifier: MIT
// Who on this machine refuses namespaces and mounts, and what mends it. The kernel says the same
// EPERM for a sysctl, AppArmor, a container's filter and a chroot.

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
  std::string mend;
};

// What of a user namespace was refused: to make it, or to map its ids.
enum class NamespacePart : std::uint8_t { Making, Mapping };

// How the cause that the doctor prints a profile for reads.
inline constexpr const char* kAppArmorRestricts = "AppArmor restricts them on this system";

// Pure.
[[nodiscard]] Refusal why_no_namespace(NamespacePart part, int error, const Surroundings& around);

// For a run's namespaces inside of the session's, where the machine's own limits cannot be read.
[[nodiscard]] std::string mend_of_nested(int error);

// Of a mount: "" where nothing is known. Pure.
[[nodiscard]] std::string mend_of_mount(int error, const Surroundings& around);

// Of a /proc that the kernel refuses because parts of the present one are covered. Pure.
[[nodiscard]] std::string mend_of_covered_proc(const Surroundings& around);

}  // namespace shadow::sandbox
