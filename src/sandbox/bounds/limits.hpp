// SPDX-License-Identifier: MIT
// Limits of a run: by control groups where they may be used, else by rlimits where those are exact.

#pragma once

#include "policy/policy.hpp"
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

// The enforcement of a policy's limits on this host, except temporary space and time, which the
// mount of /tmp and the supervisor enforce.
struct LimitPlan {
  CgroupLimits cgroup;
  std::vector<Rlimit> rlimits;  // for apply_rlimits, in the run's inner user namespace
  std::string warning;          // which limits of a profile are kept in a lesser way, or not; or ""
};

// The controllers that the policy's limits can use, to be looked for before planning. Empty for a
// policy without such limits, which can be planned with CgroupHost{}.
[[nodiscard]] std::vector<Controller> wanted_controllers(const policy::Policy& policy, bool root);

// Advice on a controller that is not available.
[[nodiscard]] std::string advice_on_controller(Controller controller, const CgroupHost& host);

// Pure. A limit that was requested by name and cannot be enforced throws Error with advice; one
// that a profile brought along becomes the nearest exact limit and a warning. `root`: the caller's
// real user is root, whom RLIMIT_NPROC does not bind.
[[nodiscard]] LimitPlan plan_limits(const policy::Policy& policy, const CgroupHost& host,
                                    bool root);

// Sets the rlimits of the calling process; 0, or an errno. Call it in the run's own user namespace,
// whose process count starts at zero (Linux 5.14). A limit above the caller's hard limit becomes
// that one. Async-signal-safe.
[[nodiscard]] int apply_rlimits(const LimitPlan& plan) noexcept;

}  // namespace shadow::sandbox
