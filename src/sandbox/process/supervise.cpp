// SPDX-License-Identifier: MIT
#include "sandbox/process/supervise.hpp"

#include "shadow/error.hpp"

#include "sandbox/process/report.hpp"
#include "sys/files/clock.hpp"
#include "sys/processes/process.hpp"

#include <array>
#include <cerrno>
#include <csignal>

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

// The time that a command has to end after being asked to, before it is killed.
constexpr std::int64_t kGrace = 1000 * kMillisecond;

class Supervision {
 public:
  Supervision(const StartedRun& run, const BlockedSignals& signals,
              std::optional<std::int64_t> timeout_ns, const std::optional<sys::Fd>& parent,
              const Later& later)
      : run_{run},
        later_{later},
        later_at_{sys::monotonic_ns() + later.after_ns},
        parent_{parent ? parent->get() : -1},
        signals_{::signalfd(-1, &signals.blocked(), SFD_CLOEXEC | SFD_NONBLOCK)} {
    if (!signals_) {
      throw_errno("watch signals");
    }
    if (parent && !*parent) {
      ask_to_end(RunEnd::Cause::Terminated, SIGTERM);
    }
    if (timeout_ns) {
      timeout_at_ = sys::monotonic_ns() + *timeout_ns;
    }
  }

  RunEnd wait() {
    while (!ended_) {
      wait_once();
    }
    const int status = sys::wait_for(run_.init);
    if (failure_) {
      throw Error{failure_->message, failure_->hint, ExitCode::NotStarted};
    }
    return end_of(status);
  }

 private:
  void wait_once() {
    // poll(2) passes over a descriptor below zero.
    std::array<pollfd, 3> watched = {pollfd{run_.report.get(), POLLIN, 0},
                                     pollfd{signals_.get(), POLLIN, 0}, pollfd{parent_, POLLIN, 0}};
    const int count = ::poll(watched.data(), watched.size(), milliseconds_left());
    if (count < 0 && errno != EINTR) {
      throw_errno("wait for the run");
    }
    if (count > 0 && watched[1].revents != 0) {
      read_signals();
    }
    if (count > 0 && watched[2].revents != 0) {
      parent_ = -1;
      ask_to_end(RunEnd::Cause::Terminated, SIGTERM);
    }
    if (count > 0 && watched[0].revents != 0) {
      read_report();
    }
    check_deadlines();
  }

  [[nodiscard]] int milliseconds_left() const {
    std::optional<std::int64_t> at = kill_at_;
    for (const auto& other : {timeout_at_, later_at_}) {
      if (other && (!at || *other < *at)) {
        at = other;
      }
    }
    if (!at) {
      return -1;
    }
    const std::int64_t left = (*at - sys::monotonic_ns()) / kMillisecond + 1;
    constexpr std::int64_t kMost = 1'000'000;
    return static_cast<int>(std::min(std::max<std::int64_t>(left, 0), kMost));
  }

  void check_deadlines() {
    const std::int64_t now = sys::monotonic_ns();
    if (timeout_at_ && now >= *timeout_at_) {
      timeout_at_.reset();
      ask_to_end(RunEnd::Cause::TimedOut, SIGTERM);
    }
    if (later_at_ && now >= *later_at_) {
      later_at_.reset();
      later_.work();
    }
    if (kill_at_ && now >= *kill_at_) {
      kill_at_.reset();
      ::kill(run_.init, SIGKILL);
    }
  }

  void ask_to_end(RunEnd::Cause cause, int signal) {
    if (kill_at_) {  // a second request: no more patience
      ::kill(run_.init, SIGKILL);
      return;
    }
    requested_cause_ = cause;
    kill_at_ = sys::monotonic_ns() + kGrace;
    ::kill(run_.init, signal);
  }

  void read_signals() {
    signalfd_siginfo info{};
    while (::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      const int signal = static_cast<int>(info.ssi_signo);
      if (signal == SIGCHLD) {
        continue;
      }
      if (signal == SIGTERM || signal == SIGHUP) {
        ask_to_end(RunEnd::Cause::Terminated, signal);
        continue;
      }
      // The terminal sends Ctrl-C to the whole foreground group, the command included.
      if (signal == SIGCONT) {
        send_continue(0);
      } else if (info.ssi_code != SI_KERNEL) {
        ::kill(run_.init, signal);
      }
    }
  }

  // The one that ended this process's own stop.
  static void take_pending_continue() {
    sigset_t only;
    ::sigemptyset(&only);
    ::sigaddset(&only, SIGCONT);
    const timespec at_once{};
    (void)::sigtimedwait(&only, nullptr, &at_once);
  }

  void send_continue(int stop) const {
    sigval value{};
    value.sival_int = stop;
    (void)::sigqueue(run_.init, continue_signal(), value);
  }

  void read_report() {
    if (const std::optional<Report> report = receive_report(run_.report.get())) {
      note(*report);
    } else {
      ended_ = true;
    }
  }

  void note(const Report& report) {
    switch (report.kind) {
      case Report::Kind::Failed:
        failure_ = report;
        break;
      case Report::Kind::NoCommand:
        exec_error_ = static_cast<int>(report.number);
        break;
      case Report::Kind::Stopped:
        // The caller's shell watches this process, not the command: stop as well, and when
        // continued hand that on.
        ++stops_;
        ::raise(SIGSTOP);
        take_pending_continue();
        send_continue(stops_);
        break;
      case Report::Kind::Ended:
        status_ = static_cast<int>(report.number);
        break;
    }
  }

  [[nodiscard]] RunEnd end_of(int init_status) const {
    RunEnd end;
    end.exec_error = exec_error_;
    if (!status_) {
      end.signal = WIFSIGNALED(init_status) ? WTERMSIG(init_status) : SIGKILL;
      end.cause = requested_cause_.value_or(RunEnd::Cause::Killed);
      return end;
    }
    if (WIFSIGNALED(*status_)) {
      end.cause = RunEnd::Cause::Signalled;
      end.signal = WTERMSIG(*status_);
    } else {
      end.exit_code = WEXITSTATUS(*status_);
    }
    end.cause = requested_cause_.value_or(end.cause);
    return end;
  }

  const StartedRun& run_;
  const Later& later_;
  std::optional<std::int64_t> later_at_;
  int parent_ = -1;
  sys::Fd signals_;
  std::optional<std::int64_t> timeout_at_;
  std::optional<std::int64_t> kill_at_;
  std::optional<RunEnd::Cause> requested_cause_;
  std::optional<Report> failure_;
  std::optional<int> status_;
  int exec_error_ = 0;
  int stops_ = 0;
  bool ended_ = false;
};

}  // namespace

std::optional<sys::Fd> watch_parent() {
  const pid_t parent = ::getppid();
  if (parent == 0) {
    return std::nullopt;
  }
  sys::Fd watched = sys::open_pidfd(parent);
  // It may have ended in between, and its number be another's; this process has a new parent then.
  if (::getppid() != parent) {
    watched.reset();
  }
  return watched;
}

RunEnd supervise(const StartedRun& run, const BlockedSignals& signals,
                 std::optional<std::int64_t> timeout_ns, const std::optional<sys::Fd>& parent,
                 const Later& later) {
  return Supervision{run, signals, timeout_ns, parent, later}.wait();
}

TerminalGuard::TerminalGuard() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (::tcgetpgrp(fd) == ::getpgrp()) {
      terminal_ = fd;
      return;
    }
  }
}

TerminalGuard::~TerminalGuard() {
  if (terminal_ < 0) {
    return;
  }
  // Only from a group that is gone, as those of the run are by now. A live one is the caller's
  // shell, which has put this process into the background: it would read end-of-file.
  const pid_t foreground = ::tcgetpgrp(terminal_);
  if (foreground <= 0 || ::kill(-foreground, 0) == 0 || errno != ESRCH) {
    return;
  }
  // A background process that sets the foreground group is stopped by SIGTTOU unless it blocks it.
  sigset_t stop;
  sigset_t before;
  ::sigemptyset(&stop);
  ::sigaddset(&stop, SIGTTOU);
  ::sigprocmask(SIG_BLOCK, &stop, &before);
  ::tcsetpgrp(terminal_, ::getpgrp());
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace shadow::sandbox
