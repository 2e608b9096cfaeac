// SPDX-License-Identifier: MIT
// What a process that was killed has left of what it prepared in the state.
#include "commits/refs/commit_staging.hpp"
#include "support/scratch.hpp"
#include "sys/processes/process.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <iterator>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

using shadow::commits::CommitStaging;
using shadow::commits::remove_stale_staging;
using shadow::test::Scratch;

namespace {

auto count_below(const std::string& path) {
  return std::distance(std::filesystem::directory_iterator{path}, {});
}

}  // namespace

TEST_SUITE("commits/commit_staging") {
  TEST_CASE("what a killed process has left goes, also while its parent has not waited for it") {
    const Scratch scratch;
    const CommitStaging own{scratch.path()};
    const pid_t child = ::fork();
    if (child == 0) {
      const CommitStaging left{scratch.path()};
      ::kill(::getpid(), SIGKILL);
    }
    siginfo_t info{};
    REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0);
    CHECK(count_below(scratch.path() + "/commits") == 2);
    remove_stale_staging(scratch.path());
    CHECK(count_below(scratch.path() + "/commits") == 1);
    CHECK(std::filesystem::is_directory(own.path()));
    shadow::sys::wait_for(child);
  }

  TEST_CASE("what names no process goes") {
    const Scratch scratch;
    for (const char* name : {"x", "1", "0-0-1", "-1", "99999999999999999999-1-1"}) {
      std::filesystem::create_directories(scratch.path() + "/commits/" + name);
    }
    remove_stale_staging(scratch.path());
    CHECK(count_below(scratch.path() + "/commits") == 0);
  }
}
