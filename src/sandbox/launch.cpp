// SPDX-License-Identifier: MIT
#include "sandbox/launch.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sandbox/host_paths.hpp"
#include "sandbox/init.hpp"
#include "sandbox/report.hpp"
#include "sandbox/session_mounts.hpp"
#include "sys/mount.hpp"
#include "sys/process.hpp"

#include <cerrno>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <sys/mount.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

constexpr int kFailed = static_cast<int>(ExitCode::NotStarted);

// The pipes between supervisor and builder.
struct Channels {
  sys::Pipe report = sys::make_pipe();
  sys::Pipe go = sys::make_pipe();  // supervisor -> builder: one byte a step; closed: end
};

void wait_for_byte(int fd) {
  char byte = 0;
  while (::read(fd, &byte, 1) < 0 && errno == EINTR) {
  }
}

void send_byte(int fd) {
  while (::write(fd, "", 1) < 0 && errno == EINTR) {
  }
}

// In the builder or joiner: makes pid 1 and ends. For root the maps of the run's namespace are
// written from here, one level above it.
void start_init(const LaunchRequest& request, const Channels& channels, const FromHost& from_host) {
  const int report = channels.report.write_end.get();
  const sys::Pipe maps = request.ids.root() ? sys::make_pipe() : sys::Pipe{};
  const pid_t init = clone_run(request.run->network);
  if (init == 0) {
    InitContext context;
    context.plan = request.run;
    context.session = request.session;
    context.ids = request.ids;
    context.report = report;
    context.live_lock = request.live_lock;
    context.maps_ready = maps.read_end.get();
    context.command_mask = request.signals->original();
    context.child_signal_ignored = request.signals->child_signal_was_ignored();
    context.from_host = &from_host;
    run_init(context);
  }
  send_report(report, {Report::Kind::InitStarted, init, {}, {}});
  if (request.ids.root()) {
    write_maps(std::to_string(init), request.ids);
    send_byte(maps.write_end.get());
  }
}

// Runs `work` in a forked child; an Error becomes a report.
template <class Work>
pid_t fork_reporting(const LaunchRequest& request, const Channels& channels, const Work& work) {
  const pid_t pid = ::fork();
  if (pid < 0) {
    throw_errno("start a process");
  }
  if (pid > 0) {
    if (request.place) {
      try {
        request.place(pid);
      } catch (...) {
        ::kill(pid, SIGKILL);
        sys::wait_for(pid);
        throw;
      }
      send_byte(channels.go.write_end.get());
    }
    return pid;
  }
  // The supervisor's ends: while a copy is open here nobody sees that it is gone.
  ::close(channels.report.read_end.get());
  ::close(channels.go.write_end.get());
  if (request.place) {
    wait_for_byte(channels.go.read_end.get());
  }
  try {
    work();
    ::_exit(0);
  } catch (const Error& error) {
    send_error(channels.report.write_end.get(), error);
  } catch (const std::exception& error) {
    send_error(channels.report.write_end.get(), Error{error.what()});
  }
  ::_exit(kFailed);
}

void build(const LaunchRequest& request, const Channels& channels) {
  // Should the supervisor be killed now, nobody is left to want this session.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  unshare_session();
  if (request.ids.root()) {
    send_report(channels.report.write_end.get(), {Report::Kind::NeedsMaps, 0, {}, {}});
    wait_for_byte(channels.go.read_end.get());
  } else {
    write_maps("self", request.ids);
  }
  const HomeView home = build_session_mounts(*request.session);
  const FromHost from_host = take_from_host(*request.session, *request.run, home);
  send_report(channels.report.write_end.get(),
              {Report::Kind::Ready, static_cast<std::int64_t>(home), {}, {}});
  start_init(request, channels, from_host);
  // The supervisor opens /proc/PID/ns of this process, so it must not end before.
  wait_for_byte(channels.go.read_end.get());
}

SessionNamespaces open_namespaces(pid_t pid) {
  const std::string directory = "/proc/" + std::to_string(pid) + "/ns/";
  return {sys::open_path(directory + "user", O_RDONLY),
          sys::open_path(directory + "mnt", O_RDONLY)};
}

// Reads reports until pid 1 exists. Pid 1 may be quicker than the process that made it: what it
// says meanwhile is kept for the supervision.
StartedRun await_init(const LaunchRequest& request, const Channels& channels, pid_t builder) {
  StartedRun started;
  for (;;) {
    std::optional<Report> report = receive_report(channels.report.read_end.get());
    if (!report) {
      break;
    }
    switch (report->kind) {
      case Report::Kind::NeedsMaps:
        write_maps(std::to_string(builder), request.ids);
        send_byte(channels.go.write_end.get());
        break;
      case Report::Kind::Ready:
        request.on_ready(open_namespaces(builder), static_cast<HomeView>(report->number));
        break;
      case Report::Kind::InitStarted:
        started.init = static_cast<pid_t>(report->number);
        return started;
      default:
        started.early.push_back(std::move(*report));
    }
  }
  for (const Report& report : started.early) {
    if (report.kind == Report::Kind::Failed) {
      throw Error{report.message, report.hint, ExitCode::NotStarted};
    }
  }
  throw Error{
      "cannot start the run: the process that sets it up was killed", {}, ExitCode::NotStarted};
}

StartedRun await(const LaunchRequest& request, Channels channels, pid_t helper) {
  channels.report.write_end.reset();
  channels.go.read_end.reset();
  StartedRun started;
  try {
    started = await_init(request, channels, helper);
  } catch (...) {
    channels.go.write_end.reset();
    sys::wait_for(helper);
    throw;
  }
  channels.go.write_end.reset();
  sys::wait_for(helper);
  started.report = std::move(channels.report.read_end);
  return started;
}

}  // namespace

BlockedSignals::BlockedSignals() {
  ::sigemptyset(&blocked_);
  for (const int signal : {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD, SIGCONT}) {
    ::sigaddset(&blocked_, signal);
  }
  ::sigprocmask(SIG_BLOCK, &blocked_, &original_);
  // With SIGCHLD ignored the kernel reaps children by itself and their status is lost.
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  struct sigaction before {};
  ::sigaction(SIGCHLD, &standard, &before);
  child_ignored_ = before.sa_handler == SIG_IGN;
}

StartedRun launch_new(const LaunchRequest& request) {
  Channels channels;
  const pid_t builder = fork_reporting(request, channels, [&] { build(request, channels); });
  return await(request, std::move(channels), builder);
}

StartedRun launch_joining(const LaunchRequest& request, const SessionNamespaces& namespaces,
                          HomeView home) {
  Channels channels;
  const pid_t joiner = fork_reporting(request, channels, [&] {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    join_session(namespaces);
    // Drops what overlayfs remembers of the lower: files that an editor replaced, new files at
    // names once looked up, deleted files are stale for ever otherwise.
    sys::refresh_mount(request.session->project);
    const FromHost from_host = take_from_host(*request.session, *request.run, home);
    start_init(request, channels, from_host);
  });
  return await(request, std::move(channels), joiner);
}

}  // namespace shadow::sandbox
