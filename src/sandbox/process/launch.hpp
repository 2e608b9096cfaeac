// SPDX-License-Identifier: MIT
// From plans to a running command: the processes between the supervisor and pid 1 of the run.
//
//   supervisor --vfork--> builder or joiner --clone(CLONE_PARENT)--> pid 1 --vfork--> command
//
// The builder makes U1/M1, the joiner enters those of a live session; both end as soon as pid 1,
// which is then the supervisor's own child, exists. The supervisor waits and shares its memory and
// descriptors with them.

#pragma once

#include "sandbox/setup/namespaces.hpp"
#include "sandbox/setup/plan.hpp"
#include "sys/files/fd.hpp"

#include <csignal>
#include <cstdint>
#include <functional>

#include <sys/types.h>

namespace shadow::sandbox {

// The supervisor's signals: blocked for it and all its children but the command, which gets the
// caller's mask and dispositions back. A limit on the size of files ends none of them: what they
// write there fails. Made once, before anything is forked.
class BlockedSignals {
 public:
  BlockedSignals();
  [[nodiscard]] const sigset_t& original() const { return original_; }
  [[nodiscard]] const sigset_t& blocked() const { return blocked_; }
  [[nodiscard]] bool child_signal_was_ignored() const { return child_ignored_; }
  [[nodiscard]] bool size_signal_was_ignored() const { return size_ignored_; }

 private:
  sigset_t original_{};
  sigset_t blocked_{};
  bool child_ignored_ = false;
  bool size_ignored_ = false;
};

// A started run. `report` is the read end of the pipe on which pid 1 and the command speak. Its
// view shows what the project was at `began_ns` (sys::change_time_now_ns): a later change it may
// have missed, an earlier one it has not.
struct StartedRun {
  pid_t init = -1;
  sys::Fd report;
  std::int64_t began_ns = 0;
};

struct LaunchRequest {
  const SessionPlan* session = nullptr;
  const RunPlan* run = nullptr;
  const BlockedSignals* signals = nullptr;
  int live_lock = -1;
  int project = -1;  // the real one
  CallerIds ids;
  bool may_write_groups = false;  // in the control groups that the run will be in
  bool masks_renewed = false;     // in the home layer: what a live session looked up is out of date
  int proxy = -1;  // with Network::Allow: where pid 1 hands its listening socket over
  // Called with the session's new namespaces, which are open in this process.
  std::function<void(SessionNamespaces namespaces, HomeView home)> on_ready;
  // If set, called with the pid of the process from which all others of the run descend, before it
  // does anything, to put it into the run's control groups.
  std::function<void(pid_t pid)> place;
};

// Makes the session's namespaces and starts the run in them.
[[nodiscard]] StartedRun launch_new(const LaunchRequest& request);

// Starts the run in a live session's namespaces, after having the view refreshed.
[[nodiscard]] StartedRun launch_joining(const LaunchRequest& request,
                                        const SessionNamespaces& namespaces, HomeView home);

}  // namespace shadow::sandbox
