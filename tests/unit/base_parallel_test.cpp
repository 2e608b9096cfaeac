// SPDX-License-Identifier: MIT
#include "base/parallel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <sched.h>

TEST_SUITE("base/parallel") {
  TEST_CASE("each index is worked on once, whatever the shares") {
    for (const std::size_t count : {0U, 1U, 7U, 8U, 9U, 1000U}) {
      CAPTURE(count);
      std::vector<int> times(count, 0);
      shadow::in_parallel(count, 8, [&](std::size_t index) { ++times[index]; });
      CHECK(std::all_of(times.begin(), times.end(), [](int one) { return one == 1; }));
    }
  }

  TEST_CASE("one share is done by the caller's thread, in order") {
    std::vector<std::size_t> seen;
    const auto caller = std::this_thread::get_id();
    shadow::in_parallel(8, 8, [&](std::size_t index) {
      CHECK(std::this_thread::get_id() == caller);
      seen.push_back(index);
    });
    CHECK(std::is_sorted(seen.begin(), seen.end()));
    CHECK(seen.size() == 8);
  }

  TEST_CASE("two shares are done at the same time where there are two processors") {
    cpu_set_t processors;
    REQUIRE(::sched_getaffinity(0, sizeof processors, &processors) == 0);
    if (CPU_COUNT(&processors) < 2) {
      MESSAGE("skipped: one processor, nothing to see");
      return;
    }
    // Each waits for the other, which would be for ever in one thread.
    std::atomic<int> arrived{0};
    shadow::in_parallel(2, 1, [&](std::size_t /*index*/) {
      ++arrived;
      while (arrived < 2) {
        std::this_thread::yield();
      }
    });
    CHECK(arrived == 2);
  }

  TEST_CASE("an error ends the rest early, and the lowest index is the one that is told of") {
    std::atomic<std::size_t> calls{0};
    const auto fail_from_the_third = [&](std::size_t index) {
      ++calls;
      if (index >= 2) {
        throw std::runtime_error{std::to_string(index)};
      }
    };
    constexpr std::size_t kCount = 100'000;
    CHECK_THROWS_WITH_AS(shadow::in_parallel(kCount, 4, fail_from_the_third), "2",
                         std::runtime_error);
    CHECK(calls < kCount / 2);
  }
}
