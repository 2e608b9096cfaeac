// SPDX-License-Identifier: MIT
#include "sandbox/init.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sandbox/confine.hpp"
#include "sandbox/execute.hpp"
#include "sandbox/network_proxy.hpp"
#include "sandbox/report.hpp"
#include "sandbox/run_mounts.hpp"
#include "sandbox/step.hpp"
#include "sys/spawn.hpp"

#include <cerrno>
#include <csignal>
#include <exception>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

constexpr int kNotStarted = static_cast<int>(ExitCode::NotStarted);

void await_maps(const InitContext& context) {
  if (!context.ids.root()) {
    begin_step(Step::RunIds);
    write_maps("self", context.ids);
    return;
  }
  char byte = 0;
  ssize_t got = 0;
  do {
    got = ::read(context.maps_ready, &byte, 1);
  } while (got < 0 && errno == EINTR);
  if (got != 1) {
    throw Error{"cannot set up the run: its ids were not mapped"};
  }
}

void change_to(const std::string& directory) {
  if (::chdir(directory.c_str()) != 0) {
    throw_errno("enter " + quoted(directory) + " in the view");
  }
}

// In the command's process, which shares this one's memory: everything of ours is closed or reset,
// then exec.
[[noreturn]] void exec_command(const InitContext& context) {
  const RunPlan& plan = *context.plan;
  if (context.child_signal_ignored) {
    ::signal(SIGCHLD, SIG_IGN);
  }
  ::sigprocmask(SIG_SETMASK, &context.command_mask, nullptr);
  close_inherited();
  if (const int error = apply_rlimits(plan.limits); error != 0) {
    send_error(context.report, SysError{error, "set the run's limits"});
    ::_exit(kNotStarted);
  }
  const int error = execute(plan.argv, plan.environment);
  send_report(context.report, {Report::Kind::NoCommand, error, {}, {}});
  ::_exit(status_of_failure(error));
}

// Reaps everything; returns when the command itself has ended.
bool reap(const InitContext& context, pid_t command, int& status) {
  for (;;) {
    int one = 0;
    const pid_t pid = ::waitpid(-1, &one, WNOHANG | WUNTRACED);
    if (pid <= 0) {
      return false;
    }
    if (pid != command) {
      continue;
    }
    if (WIFSTOPPED(one)) {
      send_report(context.report, {Report::Kind::Stopped, WSTOPSIG(one), {}, {}});
      continue;
    }
    status = one;
    return true;
  }
}

// Waits for the command, forwarding what the supervisor sends. Signals from inside the namespace
// carry a pid, those from outside have none here; the terminal's (SI_KERNEL) reach the command by
// themselves, because it shares the process group.
int supervise(const InitContext& context, pid_t command) {
  sigset_t all;
  ::sigfillset(&all);
  int status = 0;
  while (!reap(context, command, status)) {
    siginfo_t info{};
    const int signal = ::sigwaitinfo(&all, &info);
    if (signal > 0 && signal != SIGCHLD && info.si_code != SI_KERNEL && info.si_pid == 0) {
      ::kill(command, signal);
    }
  }
  return status;
}

void set_up(const InitContext& context) {
  await_maps(context);
  begin_step(Step::RunProc);
  mount_proc(context.ids);
  apply_run_mounts(context);
  if (context.plan->network != Network::Host) {
    begin_step(Step::Loopback);
    bring_loopback_up();
  }
  if (context.plan->network == Network::Allow) {
    begin_step(Step::ProxySocket);
    listen_for_proxy(context.proxy);
  }
  begin_step(Step::WorkingDirectory);
  change_to(context.plan->cwd);
  begin_step(Step::Privileges);
  confine(context);
}

}  // namespace

void run_init(const InitContext& context) {
  try {
    set_up(context);
    // Every signal, so that each can be forwarded and none ends pid 1.
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, nullptr);
    const pid_t command = sys::run_sharing_memory(sys::Descriptors::Copied,
                                                  [&]() noexcept { exec_command(context); });
    release_inherited(context);
    const int status = supervise(context, command);
    send_report(context.report, {Report::Kind::Ended, status, {}, {}});
    // Everything else in the namespace is killed by the kernel when its pid 1 ends.
    ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  } catch (const SysError& error) {
    send_error(context.report, in_step(error));
  } catch (const Error& error) {
    send_error(context.report, error);
  } catch (const std::exception& error) {
    send_error(context.report, Error{error.what()});
  }
  ::_exit(kNotStarted);
}

}  // namespace shadow::sandbox
