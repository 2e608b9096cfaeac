// SPDX-License-Identifier: MIT
#include "bases/await_base_tree.hpp"

#include "bases/base_tree.hpp"
#include "session/background.hpp"
#include "sys/clock.hpp"
#include "sys/lock.hpp"

#include <unistd.h>

namespace shadow {

bool await_base_tree(const SessionDir& session, std::chrono::milliseconds patience,
                     const std::function<void()>& waiting) {
  using std::chrono::nanoseconds;
  constexpr int kMostTries = 3;
  constexpr useconds_t kPause = 20'000;
  constexpr std::int64_t kMoment = 500'000'000;
  const std::int64_t begin = sys::monotonic_ns();
  bool told = false;
  for (int tries = 0; !has_base_tree(session.fd());) {
    const std::int64_t waited = sys::monotonic_ns() - begin;
    if (!session.current() || waited >= nanoseconds{patience}.count()) {
      return false;
    }
    if (!told && waited > kMoment && waiting) {
      waiting();
      told = true;
    }
    // Not held while the process is started, which would see it taken.
    const bool nobody =
        sys::try_lock_file_at(session.fd(), kTakingLock, sys::LockMode::Exclusive).has_value();
    if (nobody && !has_base_tree(session.fd())) {
      if (tries == kMostTries) {
        return false;
      }
      ++tries;
      keep_bases_in_background(session);
      ::usleep(2 * kPause);
    }
    ::usleep(kPause);
  }
  return true;
}

}  // namespace shadow
