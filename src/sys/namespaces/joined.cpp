// SPDX-License-Identifier: MIT
#include "sys/namespaces/joined.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/beneath.hpp"
#include "sys/namespaces/mount.hpp"
#include "sys/processes/process.hpp"
#include "sys/processes/socket.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace shadow::sys {
namespace {

// In the child, of which nobody but its parent knows: it is in the host's pid namespace, and
// executes nothing.
Fd enter_and_open(const HeldNamespaces& namespaces, const std::string& directory,
                  Refreshing refreshing) {
  const std::string fds = "/proc/" + std::to_string(namespaces.holder) + "/fd/";
  const Fd user = open_path(fds + std::to_string(namespaces.user_fd), O_RDONLY);
  const Fd mount = open_path(fds + std::to_string(namespaces.mount_fd), O_RDONLY);
  // The user namespace first: entering the mount namespace needs capabilities in its owner.
  if (::setns(user.get(), CLONE_NEWUSER) != 0 || ::setns(mount.get(), CLONE_NEWNS) != 0) {
    throw_errno("join the live session");
  }
  const Fd root = open_path("/", O_PATH | O_DIRECTORY);
  Fd opened =
      open_beneath(root.get(), std::string_view{directory}.substr(1), O_RDONLY | O_DIRECTORY);
  constexpr int kOften = 32;
  constexpr useconds_t kPause = 100;
  refresh_mount(opened.get(), directory);
  for (int more = refreshing == Refreshing::Often ? kOften : 0; more > 0; --more) {
    ::usleep(kPause);
    refresh_mount(opened.get(), directory);
  }
  return opened;
}

[[noreturn]] void serve(int socket, const HeldNamespaces& namespaces, const std::string& directory,
                        Refreshing refreshing) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  int error = 0;
  Fd opened;
  try {
    opened = enter_and_open(namespaces, directory, refreshing);
  } catch (const SysError& failure) {
    error = failure.errno_value();
  }
  std::string answer(sizeof error, '\0');
  std::memcpy(answer.data(), &error, sizeof error);
  (void)send_message(socket, answer, opened.get());
  ::_exit(0);
}

}  // namespace

Fd open_joined(const HeldNamespaces& namespaces, const std::string& directory,
               Refreshing refreshing) {
  SocketPair pair = make_socket_pair();
  const pid_t child = ::fork();
  if (child < 0) {
    throw_errno("start a process");
  }
  if (child == 0) {
    pair.ours.reset();
    serve(pair.theirs.get(), namespaces, directory, refreshing);
  }
  pair.theirs.reset();
  int error = EPIPE;
  auto message = receive_message(pair.ours.get(), sizeof error);
  wait_for(child);
  if (message && message->bytes.size() == sizeof error) {
    std::memcpy(&error, message->bytes.data(), sizeof error);
  }
  if (error != 0 || !message || !message->descriptor) {
    throw SysError{error == 0 ? EPIPE : error, "open the view of " + quoted(directory)};
  }
  return std::move(message->descriptor);
}

}  // namespace shadow::sys
