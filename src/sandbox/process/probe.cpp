// SPDX-License-Identifier: MIT
#include "sandbox/process/probe.hpp"

#include "shadow/error.hpp"

#include "sandbox/bounds/seccomp.hpp"
#include "sandbox/mounts/overlay_mount.hpp"
#include "sandbox/mounts/run_mounts.hpp"
#include "sandbox/process/confine.hpp"
#include "sandbox/setup/namespaces.hpp"
#include "sandbox/setup/refusal.hpp"
#include "sandbox/setup/step.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"
#include "sys/namespaces/mount.hpp"
#include "sys/processes/process.hpp"

#include <cerrno>
#include <cstring>
#include <exception>

#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace shadow::sandbox {
namespace {

constexpr char kNeedsMaps = 'm';
constexpr char kFailed = 'f';

// In the child: reports the failure, cause and advice separated by a NUL.
void send_error(int pipe, const Error& error) noexcept {
  try {
    sys::write_all(pipe, kFailed + std::string{error.what()} + '\0' + error.hint());
  } catch (const std::exception&) {
    ::_exit(1);  // nobody to tell: the parent takes the status for it
  }
}

// Forks; `act` gets the write end of the pipe that the parent reads. `answer` is called for each
// byte kNeedsMaps that comes first.
ProbeResult in_child(const std::function<void(int)>& act,
                     const std::function<void(pid_t)>& answer) {
  sys::Pipe pipe = sys::make_pipe();
  const pid_t pid = ::fork();
  if (pid < 0) {
    throw_errno("start a child process");
  }
  if (pid == 0) {
    try {
      act(pipe.write_end.get());
    } catch (const SysError& error) {
      send_error(pipe.write_end.get(), in_step(error));
    } catch (const Error& error) {
      send_error(pipe.write_end.get(), error);
    } catch (const std::exception& error) {
      send_error(pipe.write_end.get(), Error{error.what()});
    }
    ::_exit(0);
  }
  pipe.write_end.reset();
  char first = 0;
  ProbeResult failure;
  while (::read(pipe.read_end.get(), &first, 1) == 1) {
    if (first == kNeedsMaps) {
      try {
        answer(pid);
      } catch (const Error& error) {
        failure = {error.what(), error.hint()};
        break;
      }
      continue;
    }
    const std::string text = sys::read_all(pipe.read_end.get());
    const std::size_t nul = text.find('\0');
    failure = {text.substr(0, nul), nul == std::string::npos ? "" : text.substr(nul + 1)};
  }
  pipe.read_end.reset();
  const int status = sys::wait_for(pid);
  if (!failure && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
    failure = {"the probe was ended by the system", {}};
  }
  return failure;
}

void change_a_tree(const std::string& lower) {
  const sys::Fd dir = sys::open_path(lower, O_RDONLY | O_DIRECTORY);
  const sys::Fd file = sys::open_at(dir.get(), "changed", O_WRONLY | O_APPEND);
  sys::write_all(file.get(), "more\n");
  if (::unlinkat(dir.get(), "deleted", 0) != 0) {
    throw_errno("delete a file in a view");
  }
}

void enter_run_namespaces(int more) {
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | more) !=
      0) {
    const int error = errno;
    throw SysError{error, "make namespaces inside the session's",
                   advice_on_nesting(error, look_around())};
  }
}

}  // namespace

ProbeResult probe_in_child(const std::function<void()>& act) {
  return in_child([&](int) { act(); }, [](pid_t) {});
}

ProbeResult probe_in_session(const std::function<void()>& act) {
  const CallerIds ids = caller_ids();
  sys::Pipe mapped = sys::make_pipe();
  return in_child(
      [&](int report) {
        mapped.write_end.reset();
        unshare_session();
        if (ids.root()) {
          sys::write_all(report, std::string(1, kNeedsMaps));
          char go = 0;
          if (::read(mapped.read_end.get(), &go, 1) != 1) {
            ::_exit(0);  // the parent knows why
          }
        } else {
          write_maps("self", ids);
        }
        sys::make_mounts_private();
        act();
      },
      [&](pid_t pid) {
        // Dropped on the way out, whatever happens: the child waits for it.
        const sys::Fd go{mapped.write_end.release()};
        write_maps(std::to_string(pid), ids);
        sys::write_all(go.get(), "g");
      });
}

ProbeResult probe_nested_namespaces() {
  return probe_in_session([] {
    enter_run_namespaces(0);
    // A process may map its own id alone, root too; which ids are mapped is not the question here.
    const ProbeResult inner = probe_in_child([] { mount_proc(); });
    if (inner) {
      throw Error{inner->cause, inner->advice};
    }
  });
}

ProbeResult probe_private_network() {
  return probe_in_session([] {
    enter_run_namespaces(CLONE_NEWNET);
    bring_loopback_up();
  });
}

ProbeResult probe_read_only_host() {
  return probe_in_session(
      [] { sys::change_mount(AT_FDCWD, "/", MOUNT_ATTR_RDONLY, 0, sys::Recursive::Yes); });
}

ProbeResult probe_overlay(const std::string& directory) {
  return probe_in_session([&] {
    const std::string lower = directory + "/lower";
    const sys::Fd point = sys::open_path(lower, O_PATH | O_DIRECTORY);
    const sys::Fd mount = mount_overlay(point.get(), directory + "/layer");
    sys::attach_mount(mount.get(), point.get(), lower);
    change_a_tree(lower);
  });
}

ProbeResult probe_view(const std::string& lower, const std::string& layer) {
  return probe_in_session([&] {
    const sys::Fd point = sys::open_path(lower, O_PATH | O_DIRECTORY);
    (void)mount_overlay(point.get(), layer);
  });
}

ProbeResult probe_terminal_filter() {
  return probe_in_child([] {
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
      throw_errno("forbid new privileges");
    }
    if (const int error = install_terminal_filter(); error != 0) {
      throw SysError{error, "install a seccomp filter"};
    }
    // Without the filter this descriptor gives EBADF.
    char key = 0;
    if (::ioctl(-1, TIOCSTI, &key) == 0 || errno != EPERM) {
      throw Error{"the seccomp filter is installed but does not hold"};
    }
  });
}

}  // namespace shadow::sandbox
