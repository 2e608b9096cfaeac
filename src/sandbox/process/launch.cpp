// SPDX-License-Identifier: MIT
#include "sandbox/process/launch.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sandbox/mounts/host_paths.hpp"
#include "sandbox/mounts/session_mounts.hpp"
#include "sandbox/process/init.hpp"
#include "sandbox/process/report.hpp"
#include "sandbox/setup/step.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/clock.hpp"
#include "sys/namespaces/mount.hpp"
#include "sys/processes/process.hpp"
#include "sys/processes/spawn.hpp"

#include <cerrno>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include <sys/mount.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

void wait_for_byte(int fd) {
  char byte = 0;
  while (::read(fd, &byte, 1) < 0 && errno == EINTR) {
  }
}

void send_byte(int fd) {
  while (::write(fd, "", 1) < 0 && errno == EINTR) {
  }
}

// The result of the builder or joiner, in the memory that it shares with the supervisor.
struct Outcome {
  std::optional<Error> error;
  SessionNamespaces namespaces;
  HomeView home = HomeView::None;
  pid_t init = -1;
  std::int64_t began_ns = 0;
};

// Writes the id maps of a root caller's session from outside of its user namespace: a process loses
// the capabilities for it by entering the namespace. Its forked child waits in the outer one.
class OuterMapper {
 public:
  explicit OuterMapper(const CallerIds& ids) {
    const std::string builder = std::to_string(::getpid());
    pid_ = ::fork();
    if (pid_ < 0) {
      throw_errno("start a process");
    }
    if (pid_ > 0) {
      report_.write_end.reset();
      return;
    }
    // Should the builder be killed, the end of the pipe says so.
    go_.write_end.reset();
    wait_for_byte(go_.read_end.get());
    try {
      write_maps(builder, ids);
    } catch (const Error& error) {
      send_error(report_.write_end.get(), error);
    }
    ::_exit(0);
  }

  // To be called in the new namespace.
  void map() const {
    send_byte(go_.write_end.get());
    const std::optional<Report> failure = receive_report(report_.read_end.get());
    sys::wait_for(pid_);
    if (failure) {
      throw Error{failure->message, failure->hint, ExitCode::NotStarted};
    }
  }

 private:
  sys::Pipe go_ = sys::make_pipe();
  sys::Pipe report_ = sys::make_pipe();
  pid_t pid_ = -1;
};

// In the builder or joiner: makes pid 1. For root the maps of the run's namespace are written from
// here, one level above it.
pid_t start_init(const LaunchRequest& request, const sys::Pipe& report, const FromHost& from_host) {
  const sys::Pipe maps = request.ids.root() ? sys::make_pipe() : sys::Pipe{};
  begin_step(Step::RunNamespaces);
  const pid_t init = clone_run(request.run->network);
  if (init == 0) {
    // While a copy of this end is open here, nobody sees that the supervisor is gone.
    ::close(report.read_end.get());
    // Nor, while a copy of this one is, that the process which writes the maps was killed.
    ::close(maps.write_end.get());
    InitContext context;
    context.plan = request.run;
    context.session = request.session;
    context.ids = request.ids;
    context.may_write_groups = request.may_write_groups;
    context.report = report.write_end.get();
    context.live_lock = request.live_lock;
    context.proxy = request.proxy;
    context.maps_ready = maps.read_end.get();
    context.command_mask = request.signals->original();
    context.child_signal_ignored = request.signals->child_signal_was_ignored();
    context.size_signal_ignored = request.signals->size_signal_was_ignored();
    context.from_host = &from_host;
    run_init(context);
  }
  if (request.ids.root()) {
    begin_step(Step::RunIds);
    const OwnerRights& rights = request.run->rights;
    write_maps(std::to_string(init), request.ids,
               rights.any() ? std::optional<uid_t>{rights.owner} : std::nullopt);
    send_byte(maps.write_end.get());
  }
  return init;
}

// Other runs of the session are live, and where home or /tmp is theirs they can have moved what
// leads to the view, or put a link to some other mount there.
void refresh_view(const std::string& path) {
  try {
    begin_step(Step::RefreshViews);
    const sys::Fd host = sys::open_path("/", O_PATH | O_DIRECTORY);
    const sys::Fd root =
        sys::open_beneath(host.get(), std::string_view{path}.substr(1), O_PATH | O_DIRECTORY);
    sys::refresh_mount(root.get(), path);
  } catch (const SysError& error) {
    throw Error{
        in_step(error).what(),
        "a run of it has moved what leads there; end its runs, or start anew: shadow discard "
        "--kill --yes (shadow apply first what is to be kept)"};
  }
}

void build(const LaunchRequest& request, const sys::Pipe& report, Outcome& outcome) {
  std::optional<OuterMapper> mapper;
  if (request.ids.root()) {
    mapper.emplace(request.ids);
  }
  begin_step(Step::SessionNamespaces);
  unshare_session();
  begin_step(Step::SessionIds);
  if (mapper) {
    mapper->map();
  } else {
    write_maps("self", request.ids);
  }
  outcome.home = build_session_mounts(*request.session);
  const FromHost from_host = take_from_host(*request.session, *request.run, outcome.home);
  outcome.namespaces = {sys::open_path("/proc/self/ns/user", O_RDONLY),
                        sys::open_path("/proc/self/ns/mnt", O_RDONLY)};
  outcome.began_ns = sys::change_time_now_ns(request.project);  // no run has looked at anything yet
  outcome.init = start_init(request, report, from_host);
}

// Runs `work` in a process of its own, which shares memory and descriptors with this one.
template <class Work>
void run_helper(const LaunchRequest& request, Outcome& outcome, const Work& work) {
  const pid_t helper = sys::run_sharing_memory(sys::Descriptors::Shared, [&]() noexcept {
    // Should the supervisor be killed now, nobody is left to want this run.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    try {
      if (request.place) {
        request.place(::getpid());
      }
      work();
    } catch (const SysError& error) {
      outcome.error = in_step(error);
    } catch (const Error& error) {
      outcome.error = error;
    } catch (const std::exception& error) {
      outcome.error = Error{error.what()};
    }
  });
  sys::wait_for(helper);
  if (outcome.error) {
    throw Error{outcome.error->what(), outcome.error->hint(), ExitCode::NotStarted};
  }
  if (outcome.init <= 0) {
    throw Error{
        "cannot start the run: the process that sets it up was killed", {}, ExitCode::NotStarted};
  }
}

}  // namespace

BlockedSignals::BlockedSignals() {
  ::sigemptyset(&blocked_);
  // SIGTSTP too: Ctrl-Z is for the command, and this process stops when the command has stopped. By
  // itself it would stop wherever it is, the session's lock in its hand.
  for (const int signal :
       {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD, SIGCONT, SIGTSTP}) {
    ::sigaddset(&blocked_, signal);
  }
  ::sigprocmask(SIG_BLOCK, &blocked_, &original_);
  // With SIGCHLD ignored the kernel reaps children by itself and their status is lost.
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  struct sigaction before {};
  ::sigaction(SIGCHLD, &standard, &before);
  child_ignored_ = before.sa_handler == SIG_IGN;
  size_ignored_ = std::signal(SIGXFSZ, SIG_IGN) == SIG_IGN;
}

StartedRun launch_new(const LaunchRequest& request) {
  sys::Pipe report = sys::make_pipe();
  Outcome outcome;
  run_helper(request, outcome, [&] { build(request, report, outcome); });
  request.on_ready(std::move(outcome.namespaces), outcome.home);
  return {outcome.init, std::move(report.read_end), outcome.began_ns};
}

StartedRun launch_joining(const LaunchRequest& request, const SessionNamespaces& namespaces,
                          HomeView home) {
  sys::Pipe report = sys::make_pipe();
  Outcome outcome;
  run_helper(request, outcome, [&] {
    begin_step(Step::JoinSession);
    join_session(namespaces);
    // Drops what overlayfs remembers of the lower: files that an editor replaced, new files at
    // names once looked up, deleted files are stale for ever otherwise.
    outcome.began_ns = sys::change_time_now_ns(request.project);
    refresh_view(request.session->project);
    if (!request.session->git_dir.empty()) {
      refresh_view(request.session->git_dir);
    }
    if (request.masks_renewed && home == HomeView::Overlay) {
      refresh_view(request.session->home);
    }
    const FromHost from_host = take_from_host(*request.session, *request.run, home);
    outcome.init = start_init(request, report, from_host);
  });
  return {outcome.init, std::move(report.read_end), outcome.began_ns};
}

}  // namespace shadow::sandbox
