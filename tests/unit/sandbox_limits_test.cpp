// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "base/scope_exit.hpp"
#include "sandbox/bounds/cgroup.hpp"
#include "sandbox/bounds/limits.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <functional>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using shadow::policy::LimitKind;
using shadow::policy::Origin;
using shadow::policy::Policy;
using shadow::sandbox::CgroupHost;
using shadow::sandbox::CgroupLimits;
using shadow::sandbox::CgroupRun;
using shadow::sandbox::Controller;
using shadow::sandbox::ControllerPlace;
using shadow::sandbox::LimitPlan;
using shadow::sandbox::plan_limits;
using shadow::sandbox::probe_cgroups;
using shadow::sandbox::Rlimit;

namespace {

constexpr std::uint64_t kMebibyte = 1U << 20U;
const std::vector<Controller> all_controllers{shadow::sandbox::kAllControllers.begin(),
                                              shadow::sandbox::kAllControllers.end()};

Policy limited(LimitKind kind, std::uint64_t amount, Origin origin) {
  Policy policy;
  policy.limits.at(static_cast<std::size_t>(kind)) = {amount, origin};
  return policy;
}

CgroupHost host_with(const std::vector<Controller>& controllers) {
  CgroupHost host;
  for (const Controller controller : controllers) {
    host.places.at(static_cast<std::size_t>(controller)) = {ControllerPlace::Kind::V2, "/cg", {}};
  }
  return host;
}

bool has(const LimitPlan& plan, int resource, rlim_t value) {
  return std::find(plan.rlimits.begin(), plan.rlimits.end(), Rlimit{resource, value}) !=
         plan.rlimits.end();
}

// Runs in a child that waits until `prepared` was done to it; its wait status.
int in_child(const std::function<void(pid_t)>& prepared, const std::function<int()>& act) {
  shadow::sys::Pipe pipe = shadow::sys::make_pipe();
  const pid_t pid = ::fork();
  REQUIRE(pid >= 0);
  if (pid == 0) {
    char go = 0;
    if (::read(pipe.read_end.get(), &go, 1) != 1) {
      ::_exit(254);
    }
    ::_exit(act());
  }
  prepared(pid);
  REQUIRE(::write(pipe.write_end.get(), "g", 1) == 1);
  return shadow::sys::wait_for(pid);
}

int in_limited_child(const LimitPlan& plan, const std::function<int()>& act) {
  return in_child([](pid_t) {},
                  [&] {
                    ::signal(SIGXFSZ, SIG_IGN);
                    return shadow::sandbox::apply_rlimits(plan) == 0 ? act() : 253;
                  });
}

// Maps and touches that much private memory; 0 when it could.
int take_memory(std::size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return 1;
  }
  constexpr std::size_t kPage = 4096;
  for (std::size_t at = 0; at < bytes; at += kPage) {
    static_cast<volatile char*>(memory)[at] = 1;
  }
  return 0;
}

// How many children could be made, of fifty; they are ended again.
int fork_bomb() {
  constexpr std::size_t kTries = 50;
  std::vector<pid_t> children;
  while (children.size() < kTries) {
    const pid_t pid = ::fork();
    if (pid < 0) {
      break;
    }
    if (pid == 0) {
      ::pause();
      ::_exit(0);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    ::kill(pid, SIGKILL);
    shadow::sys::wait_for(pid);
  }
  return static_cast<int>(children.size());
}

std::size_t own_groups_below(const std::string& parent) {
  const shadow::sys::Fd dir = shadow::sys::open_path(parent, O_RDONLY | O_DIRECTORY);
  const auto entries = shadow::sys::list_dir(dir.get());
  const std::string mine = "shadow-" + std::to_string(::getpid()) + "-";
  return static_cast<std::size_t>(
      std::count_if(entries.begin(), entries.end(),
                    [&](const auto& entry) { return entry.name.starts_with(mine); }));
}

}  // namespace

TEST_SUITE("sandbox/limits plan") {
  TEST_CASE("without limits there is nothing but the ban on core files") {
    const LimitPlan plan = plan_limits({}, {}, false);
    CHECK(plan.rlimits == std::vector<Rlimit>{{RLIMIT_CORE, 1}});
    CHECK_FALSE(plan.cgroup.any());
    CHECK(plan.warning.empty());
    CHECK(shadow::sandbox::wanted_controllers({}, true).empty());
  }

  TEST_CASE("control groups are used where they are to be had") {
    Policy policy = limited(LimitKind::Memory, 5 * kMebibyte, Origin::CommandLine);
    policy.limits.at(static_cast<std::size_t>(LimitKind::Cpus)) = {1500, Origin::Profile};
    const LimitPlan plan =
        plan_limits(policy, host_with({Controller::Memory, Controller::Cpu}), false);
    CHECK(plan.cgroup == CgroupLimits{5 * kMebibyte, 1500, 0});
    CHECK(plan.warning.empty());
  }

  TEST_CASE("what was asked for by name and cannot be kept is an error with the mend") {
    CgroupHost host;
    host.systemd = true;
    host.places.at(0).why = "the memory controller is not delegated to you";
    for (const Origin origin : {Origin::CommandLine, Origin::ProjectConfig, Origin::GlobalConfig}) {
      try {
        (void)plan_limits(limited(LimitKind::Memory, 512 * kMebibyte, origin), host, false);
        FAIL("planned");
      } catch (const shadow::Error& error) {
        CHECK(std::string{error.what()} ==
              "cannot limit memory to 512 MiB: the memory controller is not delegated to you");
        CHECK(error.hint().find("systemd-run --user --scope -p Delegate=yes") != std::string::npos);
        CHECK(error.code() == shadow::ExitCode::NotStarted);
      }
    }
    CHECK_THROWS_AS(
        (void)plan_limits(limited(LimitKind::Cpus, 500, Origin::CommandLine), host, false),
        shadow::Error);
    CHECK_THROWS_AS((void)plan_limits(limited(LimitKind::Pids, 9, Origin::CommandLine), host, true),
                    shadow::Error);
  }

  TEST_CASE("what a profile brought along falls back, with one line about it") {
    Policy policy = limited(LimitKind::Memory, 512 * kMebibyte, Origin::Profile);
    policy.limits.at(static_cast<std::size_t>(LimitKind::Cpus)) = {500, Origin::Profile};
    const LimitPlan plan = plan_limits(policy, {}, false);
    CHECK(has(plan, RLIMIT_DATA, 512 * kMebibyte));
    CHECK(plan.warning ==
          "no control group to be had here: memory limited per process instead of in sum, "
          "cpus not limited");
  }

  TEST_CASE("processes are counted by the user namespace, for root by a control group") {
    const Policy policy = limited(LimitKind::Pids, 64, Origin::CommandLine);
    CHECK(has(plan_limits(policy, {}, false), RLIMIT_NPROC, 65));
    CHECK(plan_limits(policy, host_with({Controller::Pids}), true).cgroup.pids == 65);
    CHECK(shadow::sandbox::wanted_controllers(policy, false).empty());
    CHECK(shadow::sandbox::wanted_controllers(policy, true) ==
          std::vector<Controller>{Controller::Pids});
  }

  TEST_CASE("limits of one process are exact without control groups") {
    Policy policy = limited(LimitKind::FileSize, 1000, Origin::CommandLine);
    policy.limits.at(static_cast<std::size_t>(LimitKind::OpenFiles)) = {20, Origin::CommandLine};
    const LimitPlan plan = plan_limits(policy, {}, true);
    CHECK(has(plan, RLIMIT_FSIZE, 1000));
    CHECK(has(plan, RLIMIT_NOFILE, 20));
  }
}

TEST_SUITE("sandbox/limits kept") {
  TEST_CASE("a runaway file, too many descriptors and a memory hog meet their bound") {
    LimitPlan plan;
    plan.rlimits = {{RLIMIT_FSIZE, 4096},
                    {RLIMIT_NOFILE, 10},
                    {RLIMIT_DATA, 512 * kMebibyte},
                    {RLIMIT_CORE, 1}};
    CHECK(in_limited_child(plan, [] {
            const int file = ::open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
            const std::string data(8192, 'x');
            const bool stopped = ::write(file, data.data(), data.size()) == 4096 &&
                                 ::write(file, "y", 1) < 0 && errno == EFBIG;
            return file >= 0 && stopped ? 0 : 1;
          }) == 0);
    CHECK(in_limited_child(plan, [] {
            for (int i = 0; i < 20; ++i) {
              if (::dup(1) < 0) {
                return errno == EMFILE ? 0 : 1;
              }
            }
            return 2;
          }) == 0);
#if !defined(__SANITIZE_ADDRESS__)  // whose shadow memory counts as data
    CHECK(in_limited_child(plan, [] {
            return take_memory(32 * kMebibyte) == 0 && take_memory(640 * kMebibyte) == 1 ? 0 : 1;
          }) == 0);
#endif
  }

  TEST_CASE("processes are counted in the run's own user namespace only") {
    if (::geteuid() == 0) {
      MESSAGE("skipped: the kernel exempts root; a control group counts its processes");
      return;
    }
    LimitPlan plan;
    plan.rlimits = {{RLIMIT_NPROC, 8}};
    CHECK(WEXITSTATUS(in_child([](pid_t) {},
                               [&] {
                                 const bool ready = ::unshare(CLONE_NEWUSER) == 0 &&
                                                    shadow::sandbox::apply_rlimits(plan) == 0;
                                 return ready ? fork_bomb() : 253;
                               })) == 7);
  }

  TEST_CASE("a limit above the caller's own hard limit becomes that one") {
    struct rlimit now {};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &now) == 0);
    LimitPlan plan;
    plan.rlimits = {{RLIMIT_NOFILE, RLIM_INFINITY - 1}};
    CHECK(in_limited_child(plan, [] { return 0; }) == 0);
  }
}

TEST_SUITE("sandbox/cgroup") {
  TEST_CASE("a memory hog is killed inside its group, counted, and the group is removed") {
    const CgroupHost host = probe_cgroups({Controller::Memory});
    if (!host.can(Controller::Memory)) {
      MESSAGE("skipped: " << host.place(Controller::Memory).why);
      return;
    }
    {
      const CgroupRun group{{32 * kMebibyte, 0, 0}, host};
      const int status = in_child([&](pid_t pid) { group.place(pid); },
                                  [] { return take_memory(256 * kMebibyte); });
      CHECK(WIFSIGNALED(status));
      CHECK(WTERMSIG(status) == SIGKILL);
      CHECK(group.hits().memory_kills == 1);
    }
    CHECK(own_groups_below(host.place(Controller::Memory).parent) == 0);
  }

  TEST_CASE("a fork bomb meets its bound, also as root") {
    const CgroupHost host = probe_cgroups({Controller::Pids});
    if (!host.can(Controller::Pids)) {
      MESSAGE("skipped: " << host.place(Controller::Pids).why);
      return;
    }
    {
      const CgroupRun group{{0, 0, 8}, host};
      const int status = in_child([&](pid_t pid) { group.place(pid); }, fork_bomb);
      CHECK(WIFEXITED(status));
      CHECK(WEXITSTATUS(status) == 7);
      CHECK(group.hits().pids_refused >= 1);
    }
    CHECK(own_groups_below(host.place(Controller::Pids).parent) == 0);
  }

  TEST_CASE("cpu time is held to the quota") {
    const CgroupHost host = probe_cgroups({Controller::Cpu});
    if (!host.can(Controller::Cpu)) {
      MESSAGE("skipped: " << host.place(Controller::Cpu).why);
      return;
    }
    const CgroupRun group{{0, 200, 0}, host};
    const int status = in_child([&](pid_t pid) { group.place(pid); },
                                [] {
                                  timespec start{};
                                  timespec now{};
                                  ::clock_gettime(CLOCK_MONOTONIC, &start);
                                  do {
                                    ::clock_gettime(CLOCK_MONOTONIC, &now);
                                  } while (now.tv_sec - start.tv_sec < 2);
                                  timespec used{};
                                  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
                                  // A fifth of at least one second and at most two, with room for
                                  // the scheduler's slices.
                                  constexpr long kMost = 700'000'000;
                                  return used.tv_sec == 0 && used.tv_nsec < kMost ? 0 : 1;
                                });
    CHECK(status == 0);
  }

  TEST_CASE("groups that a killed supervisor left are removed, those of others stay") {
    const CgroupHost host = probe_cgroups({Controller::Pids});
    if (!host.can(Controller::Pids)) {
      MESSAGE("skipped: " << host.place(Controller::Pids).why);
      return;
    }
    const std::string parent = host.place(Controller::Pids).parent;
    const std::string stale = parent + "/shadow-" + std::to_string(::getpid()) + "-1";
    const std::string other = parent + "/shadow-test-other";
    REQUIRE(::mkdir(stale.c_str(), 0755) == 0);
    REQUIRE(::mkdir(other.c_str(), 0755) == 0);
    const shadow::ScopeExit clean{[&] {
      ::rmdir(stale.c_str());
      ::rmdir(other.c_str());
    }};
    { const CgroupRun group{{0, 0, 8}, host}; }
    CHECK(::access(stale.c_str(), F_OK) != 0);
    CHECK(::access(other.c_str(), F_OK) == 0);
  }

  TEST_CASE("nothing limited makes no group") {
    const CgroupRun group{{}, {}};
    CHECK(group.hits().memory_kills == 0);
    CHECK_THROWS_AS((CgroupRun{{1, 0, 0}, {}}), shadow::Error);
  }
}
