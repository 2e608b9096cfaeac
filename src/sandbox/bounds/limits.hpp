// SPDX-License-Identifier: MIT
// Limits of a run: by control groups where they may be used, else by rlimits where those are exact.

#pragma once

#include "shadow/policy.hpp"

#include "sandbox/bounds/cgroup_host.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <sys/resource.h>

namespace shadow::sandbox {

struct Rlimit {
  int resource = 0;
  rlim_t value = 0;
  bool operator==(const Rlimit&) const = default;
};

// How the limits of a policy are kept on this host. Temporary space and time are not here: the
// mount of /tmp and the supervisor keep them.
struct LimitPlan {
  CgroupLimits cgroup;
  std::vector<Rlimit> rlimits;  // for apply_rlimits, in the run's inner user namespace
  std::string warning;          // which limits of a profile are kept in a lesser way, or not; or ""
};

// What has to be looked for before planning: the controllers that the policy's limits can use.
// Empty for a policy without such limits, and then CgroupHost{} will do.
[[nodiscard]] std::vector<Controller> wanted_controllers(const Policy& policy, bool root);

// What to do about a controller that is not to be had.
[[nodiscard]] std::string mend_for(Controller controller, const CgroupHost& host);

// Pure. A limit that was asked for by name and cannot be kept throws Error with the mend; one that
// a profile brought along becomes the nearest exact limit and a warning. `root`: the caller's real
// user is root, whom RLIMIT_NPROC does not bind.
[[nodiscard]] LimitPlan plan_limits(const Policy& policy, const CgroupHost& host, bool root);

// Sets the rlimits of the calling process; 0, or an errno. Call it in the run's own user namespace,
// whose process count starts at zero (Linux 5.14). A limit above the caller's hard limit becomes
// that one. Async-signal-safe.
[[nodiscard]] int apply_rlimits(const LimitPlan& plan) noexcept;

}  // namespace shadow::sandbox
