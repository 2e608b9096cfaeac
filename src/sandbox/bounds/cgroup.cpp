// SPDX-License-Identifier: MIT
#include "sandbox/bounds/cgroup.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <ctime>
#include <optional>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

using Kind = ControllerPlace::Kind;

constexpr std::string_view kPrefix = "shadow-";
constexpr std::uint64_t kPeriodMicroseconds = 100'000;

// Pid and start time name the supervisor for the life of the machine, so that its groups are
// not taken for those of a process that got the same pid later.
std::string name_for(pid_t pid, std::uint64_t start) {
  return std::string{kPrefix} + std::to_string(pid) + "-" + std::to_string(start);
}

// True if the name is one of ours and its supervisor is gone.
bool is_stale(const std::string& name) {
  if (!name.starts_with(kPrefix)) {
    return false;
  }
  pid_t pid = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + kPrefix.size(), end, pid);
  if (error != std::errc{} || stop == end || *stop != '-' || pid <= 0) {
    return false;
  }
  const std::optional<std::uint64_t> start = sys::start_time(pid);
  return !start || !name.starts_with(name_for(pid, *start));
}

// rmdir fails on a group that has processes, so that a wrong guess removes nothing in use.
void remove_stale(int parent) {
  for (const sys::DirEntry& entry : sys::list_dir(parent)) {
    if (is_stale(entry.name)) {
      (void)::unlinkat(parent, entry.name.c_str(), AT_REMOVEDIR);
    }
  }
}

bool try_write(int dir, const char* file, const std::string& text) noexcept {
  const sys::Fd fd{::openat(dir, file, O_WRONLY | O_CLOEXEC)};
  return fd && ::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

void write_control(int dir, const char* file, const std::string& text) {
  if (!try_write(dir, file, text)) {
    throw_errno("set " + std::string{file} + " of the run's control group to " + quoted(text));
  }
}

std::string read_control(int dir, const char* file) {
  const sys::Fd fd = sys::try_open_at(dir, file, O_RDONLY);
  return fd ? sys::read_all(fd.get()) : std::string{};
}

// The value of a "key value" line.
std::uint64_t counter(const std::string& text, std::string_view key) {
  for (const std::string& line : split(text, '\n')) {
    const std::size_t blank = line.find(' ');
    if (blank != std::string::npos && std::string_view{line}.substr(0, blank) == key) {
      std::uint64_t value = 0;
      std::from_chars(line.data() + blank + 1, line.data() + line.size(), value);
      return value;
    }
  }
  return 0;
}

bool has_control(int dir, const char* file) {
  return ::faccessat(dir, file, W_OK, AT_EACCESS) == 0;
}

// Memory without swap: a limit that only pushed the run into the host's swap would hold nothing.
void limit_memory(int dir, Kind kind, std::uint64_t bytes) {
  const std::string text = std::to_string(bytes);
  if (kind != Kind::V1) {
    write_control(dir, "memory.max", text);
    if (has_control(dir, "memory.swap.max")) {
      write_control(dir, "memory.swap.max", "0");
    }
    return;
  }
  write_control(dir, "memory.limit_in_bytes", text);
  if (has_control(dir, "memory.memsw.limit_in_bytes")) {
    write_control(dir, "memory.memsw.limit_in_bytes", text);
  }
}

void limit_cpus(int dir, Kind kind, std::uint64_t milli) {
  const std::string quota = std::to_string(milli * kPeriodMicroseconds / 1000);
  const std::string period = std::to_string(kPeriodMicroseconds);
  if (kind != Kind::V1) {
    write_control(dir, "cpu.max", quota + " " + period);
    return;
  }
  write_control(dir, "cpu.cfs_period_us", period);
  // EINVAL: an ancestor's quota is smaller already, and holds (tg_cfs_schedulable_down).
  if (!try_write(dir, "cpu.cfs_quota_us", quota) && errno != EINVAL) {
    throw_errno("set cpu.cfs_quota_us of the run's control group to " + quoted(quota));
  }
}

}  // namespace

CgroupRun::CgroupRun(const CgroupLimits& limits, const CgroupHost& host) {
  if (limits.memory_bytes != 0) {
    add(Controller::Memory, host.place(Controller::Memory));
  }
  if (limits.milli_cpus != 0) {
    add(Controller::Cpu, host.place(Controller::Cpu));
  }
  if (limits.pids != 0) {
    add(Controller::Pids, host.place(Controller::Pids));
  }
  try {
    for (Group& group : groups_) {
      make(group, limits);
    }
  } catch (...) {
    remove_all();
    throw;
  }
}

CgroupRun::~CgroupRun() {
  remove_all();
}

// Controllers that share a parent share the group.
void CgroupRun::add(Controller controller, const ControllerPlace& place) {
  if (place.kind == Kind::None) {
    throw Error{"cannot limit the run: " + place.why};
  }
  const auto found = std::find_if(groups_.begin(), groups_.end(),
                                  [&](const Group& group) { return group.parent == place.parent; });
  if (found != groups_.end()) {
    found->controllers.push_back(controller);
    return;
  }
  Group group;
  group.kind = place.kind;
  group.parent = place.parent;
  group.controllers.push_back(controller);
  groups_.push_back(std::move(group));
}

void CgroupRun::make(Group& group, const CgroupLimits& limits) {
  const sys::Fd parent = sys::open_path(group.parent, O_RDONLY | O_DIRECTORY);
  remove_stale(parent.get());
  const std::string name = name_for(::getpid(), sys::start_time(::getpid()).value_or(0));
  if (group.kind == Kind::V2Alone) {
    const std::string leaf = name + "-supervisor";
    if (::mkdirat(parent.get(), leaf.c_str(), S_IRWXU) != 0) {
      throw_errno("make a control group in " + quoted(group.parent));
    }
    group.leaf = leaf;
    write_control(parent.get(), (leaf + "/cgroup.procs").c_str(), "0");
  }
  if (group.kind != Kind::V1) {
    for (const Controller controller : group.controllers) {
      write_control(parent.get(), "cgroup.subtree_control", "+" + std::string{name_of(controller)});
    }
  }
  if (::mkdirat(parent.get(), name.c_str(), S_IRWXU) != 0) {
    throw_errno("make a control group in " + quoted(group.parent));
  }
  group.name = name;
  group.dir = sys::open_at(parent.get(), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  for (const Controller controller : group.controllers) {
    switch (controller) {
      case Controller::Memory:
        limit_memory(group.dir.get(), group.kind, limits.memory_bytes);
        break;
      case Controller::Cpu:
        limit_cpus(group.dir.get(), group.kind, limits.milli_cpus);
        break;
      case Controller::Pids:
        write_control(group.dir.get(), "pids.max", std::to_string(limits.pids));
        break;
    }
  }
}

void CgroupRun::remove_all() noexcept {
  // A process that was just reaped may still be on its way out of the group.
  constexpr int kTries = 50;
  constexpr timespec kPause{0, 2'000'000};
  for (Group& group : groups_) {
    const sys::Fd parent{::open(group.parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    group.dir.reset();
    for (int i = 0; !group.name.empty() && i < kTries; ++i) {
      if (::unlinkat(parent.get(), group.name.c_str(), AT_REMOVEDIR) == 0 || errno != EBUSY) {
        break;
      }
      ::nanosleep(&kPause, nullptr);
    }
    if (!group.leaf.empty()) {
      for (const Controller controller : group.controllers) {
        try_write(parent.get(), "cgroup.subtree_control",
                  controller == Controller::Memory ? "-memory"
                  : controller == Controller::Cpu  ? "-cpu"
                                                   : "-pids");
      }
      try_write(parent.get(), "cgroup.procs", "0");
      (void)::unlinkat(parent.get(), group.leaf.c_str(), AT_REMOVEDIR);
    }
  }
  groups_.clear();
}

void CgroupRun::place(pid_t pid) const {
  for (const Group& group : groups_) {
    write_control(group.dir.get(), "cgroup.procs", std::to_string(pid));
  }
}

const CgroupRun::Group* CgroupRun::group_of(Controller controller) const {
  const auto found = std::find_if(groups_.begin(), groups_.end(), [&](const Group& group) {
    return std::find(group.controllers.begin(), group.controllers.end(), controller) !=
           group.controllers.end();
  });
  return found == groups_.end() ? nullptr : &*found;
}

CgroupRun::Hits CgroupRun::hits() const {
  Hits hits;
  if (const Group* group = group_of(Controller::Memory)) {
    const char* file = group->kind == Kind::V1 ? "memory.oom_control" : "memory.events";
    hits.memory_kills = counter(read_control(group->dir.get(), file), "oom_kill");
  }
  if (const Group* group = group_of(Controller::Pids)) {
    hits.pids_refused = counter(read_control(group->dir.get(), "pids.events"), "max");
  }
  return hits;
}

}  // namespace shadow::sandbox
