// SPDX-License-Identifier: MIT
#include "sys/processes/process.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <csignal>
#include <thread>

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

namespace shadow {
namespace {

TEST_CASE("a process that ends while its start time is read has none") {
  // Between the open and the read of its file in /proc the kernel answers ESRCH.
#ifdef __SANITIZE_ADDRESS__
  constexpr int kProcesses = 50;  // a fork copies the tables of the shadow memory, too
#else
  constexpr int kProcesses = 1000;
#endif
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::_exit(0);
    }
    REQUIRE(child > 0);
    std::atomic<bool> failed{false};
    std::thread reader{[&] {
      try {
        while (::kill(child, 0) == 0) {
          (void)sys::start_time(child);
        }
      } catch (...) {
        failed = true;
      }
    }};
    CHECK(sys::wait_for(child) == 0);
    reader.join();
    REQUIRE_FALSE(failed);
  }
}

TEST_CASE("a process keeps its start time") {
  const auto first = sys::start_time(::getpid());
  REQUIRE(first);
  CHECK(*first > 0);
  CHECK(sys::start_time(::getpid()) == first);
}

TEST_CASE("a process that has ended has no start time, also while nobody has waited for it") {
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(0);
  }
  REQUIRE(child > 0);
  siginfo_t ended{};
  REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) == 0);
  CHECK_FALSE(sys::start_time(child));
  CHECK(sys::wait_for(child) == 0);
}

}  // namespace
}  // namespace shadow
