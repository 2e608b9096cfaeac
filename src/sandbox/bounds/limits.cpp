// SPDX-License-Identifier: MIT
#include "sandbox/bounds/limits.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "policy/policy_values.hpp"

#include <algorithm>
#include <cerrno>

namespace shadow::sandbox {

using policy::LimitKind;
using policy::Policy;

namespace {

// The run's own pid 1, which reaps and forwards, counts too; the limit speaks of the command.
constexpr std::uint64_t kOwnProcesses = 1;

class Planner {
 public:
  Planner(const Policy& policy, const CgroupHost& host, bool root)
      : policy_{policy}, host_{host}, root_{root} {}

  LimitPlan plan() {
    plan_memory();
    plan_cpus();
    plan_pids();
    plan_exact(LimitKind::FileSize, RLIMIT_FSIZE);
    plan_exact(LimitKind::OpenFiles, RLIMIT_NOFILE);
    // No core files, and 1 instead of 0 because only that also keeps the kernel from starting the
    // core_pattern program, which would run outside with the run's memory (fs/coredump.c).
    plan_.rlimits.push_back({RLIMIT_CORE, 1});
    if (!lesser_.empty()) {
      plan_.warning = "no control group to be had here: " + join(lesser_, ", ");
    }
    return std::move(plan_);
  }

 private:
  void plan_memory() {
    const std::uint64_t bytes = policy_.amount(LimitKind::Memory);
    if (bytes == 0) {
      return;
    }
    if (host_.can(Controller::Memory)) {
      plan_.cgroup.memory_bytes = bytes;
      return;
    }
    fall_back(LimitKind::Memory, Controller::Memory,
              "memory limited per process instead of in sum");
    // Not RLIMIT_AS: V8, the JVM and Go reserve gigabytes of addresses that they never use.
    plan_.rlimits.push_back({RLIMIT_DATA, bytes});
  }

  void plan_cpus() {
    const std::uint64_t milli = policy_.amount(LimitKind::Cpus);
    if (milli == 0) {
      return;
    }
    if (host_.can(Controller::Cpu)) {
      plan_.cgroup.milli_cpus = milli;
      return;
    }
    fall_back(LimitKind::Cpus, Controller::Cpu, "cpus not limited");
  }

  void plan_pids() {
    const std::uint64_t pids = policy_.amount(LimitKind::Pids);
    if (pids == 0) {
      return;
    }
    // Counted within the run's user namespace, so that it is exact (Linux 5.14); but the kernel
    // exempts processes of the real root user, whatever their namespace (copy_process).
    if (!root_) {
      plan_.rlimits.push_back({RLIMIT_NPROC, pids + kOwnProcesses});
      return;
    }
    if (host_.can(Controller::Pids)) {
      plan_.cgroup.pids = pids + kOwnProcesses;
      return;
    }
    fall_back(LimitKind::Pids, Controller::Pids, "processes not limited");
  }

  void plan_exact(LimitKind kind, int resource) {
    if (const std::uint64_t amount = policy_.amount(kind); amount != 0) {
      plan_.rlimits.push_back({resource, amount});
    }
  }

  void fall_back(LimitKind kind, Controller controller, const char* instead) {
    const policy::Setting<std::uint64_t>& limit = policy_.limit(kind);
    if (policy::asked_by_name(limit.origin)) {
      throw Error{"cannot limit " + std::string{name_of(kind)} + " to " +
                      policy::limit_text(kind, limit.value) + ": " + host_.place(controller).why,
                  advice_on_controller(controller, host_), ExitCode::NotStarted};
    }
    lesser_.emplace_back(instead);
  }

  const Policy& policy_;
  const CgroupHost& host_;
  bool root_;
  LimitPlan plan_;
  std::vector<std::string> lesser_;
};

}  // namespace

std::string advice_on_controller(Controller controller, const CgroupHost& host) {
  if (!host.systemd) {
    const std::string& way = host.place(controller).way;
    return way.empty() ? "limit the container or the machine as a whole"
                       : "move your shell to a control group of your own: " + way;
  }
  std::string scope =
      "run it in a scope of its own: systemd-run --user --scope -p Delegate=yes shadow run ...";
  if (controller == Controller::Memory || controller == Controller::Pids) {
    return scope;
  }
  // systemd delegates memory and pids to users, cpu only when told to (user@.service).
  return "put '[Service]' and 'Delegate=cpu memory pids' into "
         "/etc/systemd/system/user@.service.d/delegate.conf, log in again, and " +
         scope;
}

std::vector<Controller> wanted_controllers(const Policy& policy, bool root) {
  std::vector<Controller> wanted;
  if (policy.amount(LimitKind::Memory) != 0) {
    wanted.push_back(Controller::Memory);
  }
  if (policy.amount(LimitKind::Cpus) != 0) {
    wanted.push_back(Controller::Cpu);
  }
  if (policy.amount(LimitKind::Pids) != 0 && root) {
    wanted.push_back(Controller::Pids);
  }
  return wanted;
}

LimitPlan plan_limits(const Policy& policy, const CgroupHost& host, bool root) {
  return Planner{policy, host, root}.plan();
}

int apply_rlimits(const LimitPlan& plan) noexcept {
  for (const Rlimit& limit : plan.rlimits) {
    struct rlimit now {};
    if (::getrlimit(static_cast<__rlimit_resource_t>(limit.resource), &now) != 0) {
      return errno;
    }
    now.rlim_max = std::min(now.rlim_max, limit.value);
    now.rlim_cur = now.rlim_max;
    if (::setrlimit(static_cast<__rlimit_resource_t>(limit.resource), &now) != 0) {
      return errno;
    }
  }
  return 0;
}

}  // namespace shadow::sandbox
