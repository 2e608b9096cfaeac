// SPDX-License-Identifier: MIT
#include "sandbox/process/init.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sandbox/mounts/run_mounts.hpp"
#include "sandbox/process/confine.hpp"
#include "sandbox/process/execute.hpp"
#include "sandbox/process/network_proxy.hpp"
#include "sandbox/process/report.hpp"
#include "sandbox/setup/step.hpp"
#include "sys/processes/spawn.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <exception>
#include <optional>

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
  if (!context.size_signal_ignored) {
    ::signal(SIGXFSZ, SIG_DFL);
  }
  ::sigprocmask(SIG_SETMASK, &context.command_mask, nullptr);
  close_inherited();
  if (const int error = apply_rlimits(plan.limits); error != 0) {
    send_error(context.report, SysError{error, "set the run's limits"});
    ::_exit(kNotStarted);
  }
  const int error = execute(plan.argv, plan.environment);
  send_report(context.report, {Report::Kind::NoCommand, error, {}, {}});
  ::_exit(static_cast<int>(status_of_failure(error)));
}

// The command, as its parent sees it.
struct Watched {
  pid_t pid = 0;
  int stops = 0;         // as many as were reported
  bool stopped = false;  // it has not been continued since
  std::optional<int> status{};
};

// Reaps everything, and takes note of the command.
void reap(const InitContext& context, Watched& command) {
  int one = 0;
  pid_t pid = 0;
  while ((pid = ::waitpid(-1, &one, WNOHANG | WUNTRACED | WCONTINUED)) > 0) {
    if (pid != command.pid) {
      continue;
    }
    command.stopped = WIFSTOPPED(one);
    if (WIFSTOPPED(one)) {
      ++command.stops;
      send_report(context.report, {Report::Kind::Stopped, WSTOPSIG(one), {}, {}});
    } else if (!WIFCONTINUED(one)) {
      command.status = one;
      return;
    }
  }
}

// True if the stop with that number, which the supervisor has ended, still holds the command. A
// shell continues the whole group: its signal is on its way to the command, and a second one that
// comes after a new Ctrl-Z would take that back.
bool is_left_stopped(const InitContext& context, Watched& command, int stop) {
  constexpr timespec kOnItsWay{0, 20'000'000};
  const auto is_so = [&] { return !command.status && command.stopped && command.stops == stop; };
  if (is_so()) {
    ::nanosleep(&kOnItsWay, nullptr);
    reap(context, command);
  }
  return is_so();
}

// Signals from inside the namespace carry a pid, those from outside have none here; the terminal's
// (SI_KERNEL) reach the command by themselves, because it shares the process group. So does the
// SIGCONT of a shell that continues the group: the supervisor alone says when another is needed.
void forward(const InitContext& context, const siginfo_t& info, Watched& command) {
  if (info.si_signo == SIGCHLD || info.si_signo == SIGCONT || info.si_code == SI_KERNEL ||
      info.si_pid != 0) {
    return;
  }
  if (info.si_signo != continue_signal() || info.si_code != SI_QUEUE) {
    ::kill(command.pid, info.si_signo);
    return;
  }
  const int stop = info.si_value.sival_int;
  if (stop == 0 || is_left_stopped(context, command, stop)) {
    ::kill(command.pid, SIGCONT);
  }
}

// Waits for the command, forwarding what the supervisor sends.
int supervise(const InitContext& context, pid_t pid) {
  sigset_t all;
  ::sigfillset(&all);
  Watched command{pid};
  reap(context, command);
  while (!command.status) {
    siginfo_t info{};
    const int signal = ::sigwaitinfo(&all, &info);
    reap(context, command);
    if (signal > 0 && !command.status) {
      forward(context, info, command);
    }
  }
  return *command.status;
}

void set_up(const InitContext& context) {
  await_maps(context);
  begin_step(Step::RunProc);
  mount_proc();
  limit_proc(context);
  apply_run_mounts(context);
  if (context.plan->network != policy::Network::Host) {
    begin_step(Step::Loopback);
    bring_loopback_up();
  }
  if (context.plan->network == policy::Network::Allow) {
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
