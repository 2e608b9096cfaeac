// SPDX-License-Identifier: MIT
#include "follow/pace.hpp"

#include <doctest/doctest.h>

namespace {

using shadow::follow::Pace;
constexpr std::int64_t kMilli = 1'000'000;

TEST_SUITE("follow/pace") {
  TEST_CASE("the first refresh is due at once, and none after it while nothing changes") {
    Pace pace{7 * kMilli};
    CHECK(pace.next(Pace::By::Events) == 7 * kMilli);
    pace.refreshed(7 * kMilli, 8 * kMilli);
    CHECK_FALSE(pace.next(Pace::By::Events).has_value());
  }

  TEST_CASE("a change is seen within milliseconds, and many are seen ten times a second") {
    Pace pace{0};
    pace.refreshed(0, kMilli);
    pace.changed(1000 * kMilli);
    CHECK(pace.next(Pace::By::Events) == 1005 * kMilli);
    pace.changed(1004 * kMilli);
    CHECK(pace.next(Pace::By::Events) == 1005 * kMilli);
    pace.refreshed(1005 * kMilli, 1006 * kMilli);
    pace.changed(1007 * kMilli);
    CHECK(pace.next(Pace::By::Events) == 1106 * kMilli);
  }

  TEST_CASE("refreshes that take long are a quarter of the time at most, and a second apart") {
    Pace pace{0};
    pace.refreshed(-1000 * kMilli, -500 * kMilli);
    pace.refreshed(0, 300 * kMilli);
    pace.changed(301 * kMilli);
    CHECK(pace.next(Pace::By::Events) == 1200 * kMilli);
    pace.refreshed(1200 * kMilli, 1900 * kMilli);
    pace.refreshed(2000 * kMilli, 4000 * kMilli);
    pace.changed(4001 * kMilli);
    CHECK(pace.next(Pace::By::Events) == 5000 * kMilli);
  }

  TEST_CASE("a single refresh that was held up does not keep the next change waiting") {
    Pace pace{0};
    pace.refreshed(0, kMilli);
    pace.refreshed(1000 * kMilli, 1290 * kMilli);
    pace.changed(1291 * kMilli);
    CHECK(pace.next(Pace::By::Events) == 1390 * kMilli);
  }

  TEST_CASE("what is in use is tried again ever later, at last every ten seconds") {
    Pace pace{0};
    std::int64_t now = 0;
    std::int64_t last = 0;
    for (int tries = 0; tries < 50; ++tries) {
      pace.refreshed(now, now);
      pace.missed(now);
      const std::int64_t pause = *pace.next(Pace::By::Events) - now;
      CHECK(pause >= last);
      CHECK(pause <= 10'240 * kMilli);
      last = pause;
      now += pause;
    }
    CHECK(last == 10'240 * kMilli);
    pace.refreshed(now, now + 280 * kMilli);
    pace.missed(now + 280 * kMilli);
    CHECK(*pace.next(Pace::By::Events) == now + (280 + 99 * 280) * kMilli);
    pace.seen();
    pace.missed(now);
    CHECK(*pace.next(Pace::By::Events) == now + 5 * kMilli);
  }

  TEST_CASE("what changes while something in use is tried ever later does not wait for that") {
    Pace pace{0};
    std::int64_t now = 0;
    for (int misses = 0; misses < 12; ++misses) {
      pace.refreshed(now, now);
      pace.missed(now);
      now = *pace.next(Pace::By::Events);
    }
    pace.refreshed(now, now);
    pace.missed(now);
    REQUIRE(*pace.next(Pace::By::Events) > now + 1000 * kMilli);
    pace.changed(now + 200 * kMilli);
    CHECK(*pace.next(Pace::By::Events) == now + 205 * kMilli);
    pace.refreshed(now + 205 * kMilli, now + 205 * kMilli);
    pace.missed(now + 205 * kMilli);
    CHECK(*pace.next(Pace::By::Events) < now + 300 * kMilli);
  }

  TEST_CASE(
      "work that takes long is followed by a rest as long, whether it is tried again or not") {
    Pace pace{0};
    pace.refreshed(0, kMilli);
    pace.spent(kMilli, 801 * kMilli);
    pace.changed(802 * kMilli);
    CHECK(pace.next(Pace::By::Events) == 807 * kMilli);  // a single one may have been held up
    pace.refreshed(807 * kMilli, 808 * kMilli);
    pace.spent(808 * kMilli, 1608 * kMilli);
    pace.missed(1608 * kMilli);
    CHECK(pace.next(Pace::By::Events) == 2408 * kMilli);
    pace.refreshed(2408 * kMilli, 2409 * kMilli);
    pace.spent(2409 * kMilli, 9000 * kMilli);
    pace.changed(9001 * kMilli);
    CHECK(pace.next(Pace::By::Events) == 9800 * kMilli);
    pace.refreshed(9800 * kMilli, 9801 * kMilli);
    pace.spent(9801 * kMilli, 19801 * kMilli);
    pace.changed(19802 * kMilli);
    CHECK(pace.next(Pace::By::Events) == 20801 * kMilli);  // never longer than a second
  }

  TEST_CASE("without events time alone makes one due, for a hundredth of the time") {
    Pace pace{0};
    pace.refreshed(0, kMilli);
    CHECK(pace.next(Pace::By::Time) == 251 * kMilli);
    pace.refreshed(251 * kMilli, 261 * kMilli);
    CHECK(pace.next(Pace::By::Time) == (261 + 990) * kMilli);
    pace.spent(261 * kMilli, 281 * kMilli);
    CHECK(pace.next(Pace::By::Time) == (281 + 1980) * kMilli);
  }
}

}  // namespace
