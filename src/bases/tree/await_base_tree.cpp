// SPDX-License-Identifier: MIT
#include "bases/tree/await_base_tree.hpp"

#include "bases/tree/base_tree.hpp"
#include "session/directory/background.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/lock.hpp"

#include <algorithm>
#include <thread>

namespace shadow::bases {
namespace {

// Grows with what was waited, so that a walk of minutes is asked about some dozens of times, and
// costs those who wait a tenth more at most.
void pause_after(std::chrono::nanoseconds waited) {
  constexpr std::chrono::milliseconds kShortest{20};
  constexpr int kShare = 10;
  std::this_thread::sleep_for(std::max<std::chrono::nanoseconds>(kShortest, waited / kShare));
}

}  // namespace

bool await_base_tree(const session::SessionDir& session, std::chrono::milliseconds patience,
                     const std::function<void()>& waiting) {
  constexpr int kMostTries = 3;
  constexpr std::chrono::milliseconds kMoment{500};
  constexpr std::chrono::milliseconds kToStart{40};
  const std::int64_t begin = sys::monotonic_ns();
  bool noted = false;
  for (int tries = 0; !has_base_tree(session.fd());) {
    const std::chrono::nanoseconds waited{sys::monotonic_ns() - begin};
    if (!session.current() || waited >= patience) {
      return false;
    }
    if (!noted && waited > kMoment && waiting) {
      waiting();
      noted = true;
    }
    // Not held while the process is started, which would see it taken.
    const bool nobody =
        sys::try_lock_file_at(session.fd(), session::kTakingLock, sys::LockMode::Exclusive)
            .has_value();
    if (nobody && !has_base_tree(session.fd())) {
      if (tries == kMostTries) {
        return false;
      }
      ++tries;
      session::keep_bases_in_background(session);
      std::this_thread::sleep_for(kToStart);
    }
    pause_after(waited);
  }
  return true;
}

}  // namespace shadow::bases
