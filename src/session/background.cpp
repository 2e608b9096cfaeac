// SPDX-License-Identifier: MIT
#include "session/background.hpp"

#include "shadow/error.hpp"

#include "sys/helper_program.hpp"
#include "sys/process.hpp"
#include "sys/spawn.hpp"

#include <array>
#include <csignal>
#include <string>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace shadow {
namespace {

// What the program inherits beside the standard descriptors: none, or a session's two locks.
using Inherited = std::array<int, 2>;
constexpr Inherited kNothing = {-1, -1};

// Between vfork(2) and the program: nothing is allocated and nothing thrown.
void become(const sys::HelperPlaces& program, char* const* argv, const Inherited& inherited) {
  ::setsid();
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd <= 2; ++fd) {
    ::dup2(null, fd);
  }
  unsigned next = 3;
  for (const int fd : inherited) {
    if (fd >= 0) {
      // Not marked close-on-exec. The lowest free number is never above what comes after it.
      ::dup2(::dup(fd), static_cast<int>(next++));
    }
  }
  ::close_range(next, ~0U, 0);
  constexpr int kNice = 10;
  (void)::setpriority(PRIO_PROCESS, 0, kNice);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (::chdir("/") == 0) {
    sys::execute_helper(program, argv, environ);
  }
  ::_exit(1);
}

// Starts shadow-review with a word of its own and the session's id. Nobody's child: the one between
// is gone at once, so that no zombie is left for the length of a run.
void start(const char* word, const SessionDir& session, const Inherited& inherited) {
  const sys::HelperPlaces program = sys::helper_places("shadow-review");
  std::array<std::string, 3> words = {"shadow", word, session.id()};
  const std::array<char*, 4> argv = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  const pid_t between = sys::run_sharing_memory(sys::Descriptors::Copied, [&] {
    try {
      (void)sys::run_sharing_memory(sys::Descriptors::Copied,
                                    [&] { become(program, argv.data(), inherited); });
    } catch (const Error&) {
      ::_exit(1);  // the next command of the session sees to it
    }
  });
  sys::wait_for(between);
}

}  // namespace

void keep_bases_in_background(const SessionDir& session) {
  start(kKeepBases, session, kNothing);
}

void clean_up_in_background(const SessionDir& session, int lock, int idle) {
  start(kCleanUp, session, {lock, idle});
}

}  // namespace shadow
