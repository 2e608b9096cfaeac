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

// Between vfork(2) and the program: nothing is allocated and nothing thrown.
void become(const sys::HelperPlaces& program, char* const* argv) {
  ::setsid();
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd <= 2; ++fd) {
    ::dup2(null, fd);
  }
  constexpr unsigned kFirst = 3;
  ::close_range(kFirst, ~0U, 0);
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

}  // namespace

void keep_bases_in_background(const SessionDir& session) {
  const sys::HelperPlaces program = sys::helper_places("shadow-review");
  std::array<std::string, 3> words = {"shadow", kKeepBases, session.id()};
  const std::array<char*, 4> argv = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  // The one between is gone at once, so that no zombie is left for the length of a run.
  const pid_t between = sys::run_sharing_memory(sys::Descriptors::Copied, [&] {
    try {
      (void)sys::run_sharing_memory(sys::Descriptors::Copied,
                                    [&] { become(program, argv.data()); });
    } catch (const Error&) {
      ::_exit(1);  // the next command of the session starts it again
    }
  });
  sys::wait_for(between);
}

}  // namespace shadow
