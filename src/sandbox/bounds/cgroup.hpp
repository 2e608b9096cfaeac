// SPDX-License-Identifier: MIT
// The control groups of one run.

#pragma once

#include "sandbox/bounds/cgroup_host.hpp"
#include "sys/files/fd.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace shadow::sandbox {

// Makes them, with their limits, and removes them at the end. Belongs to the supervisor, which is
// outside of them. Groups that a killed supervisor left are removed on the way.
class CgroupRun {
 public:
  // Does nothing if nothing is limited. Throws SysError when a group cannot be made or a limit not
  // set.
  CgroupRun(const CgroupLimits& limits, const CgroupHost& host);
  CgroupRun(const CgroupRun&) = delete;
  CgroupRun(CgroupRun&&) = delete;
  CgroupRun& operator=(const CgroupRun&) = delete;
  CgroupRun& operator=(CgroupRun&&) = delete;
  // All processes must have been reaped. A group that cannot be removed now is by a later run.
  ~CgroupRun();

  // Moves a process into them; its future children follow. To be called before it executes
  // anything. Throws SysError.
  void place(pid_t pid) const;

  // The effects of the limits so far.
  struct Hits {
    std::uint64_t memory_kills = 0;  // processes killed for memory
    std::uint64_t pids_refused = 0;  // forks refused
  };
  [[nodiscard]] Hits hits() const;

 private:
  struct Group {
    ControllerPlace::Kind kind = ControllerPlace::Kind::None;
    std::string parent;
    std::string name;
    sys::Fd dir;
    std::vector<Controller> controllers;
    std::string leaf;  // V2Alone: where this process went meanwhile
  };

  void add(Controller controller, const ControllerPlace& place);
  void make(Group& group, const CgroupLimits& limits);
  void remove_all() noexcept;
  [[nodiscard]] const Group* group_of(Controller controller) const;

  std::vector<Group> groups_;
};

}  // namespace shadow::sandbox
