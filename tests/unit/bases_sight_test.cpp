// SPDX-License-Identifier: MIT
// What the session can have seen of the project's version, by the times of both.

#include "bases/ledger/sight.hpp"

#include <doctest/doctest.h>

#include <cstdint>

using shadow::Entry;
using shadow::EntryKind;
using shadow::bases::sight_of;
using shadow::promote::Seen;

TEST_SUITE("bases/sight") {
  TEST_CASE("every order of the four times") {
    for (std::int64_t changed = 1; changed <= 4; ++changed) {
      for (std::int64_t written = 1; written <= 4; ++written) {
        for (std::int64_t hidden = 1; hidden <= 4; ++hidden) {
          for (std::int64_t began = 1; began <= 4; ++began) {
            const Seen seen = sight_of({changed, written, hidden, began});
            const bool earlier = written <= changed || hidden <= changed;
            CHECK((seen == Seen::No) == earlier);
            CHECK((seen == Seen::Yes) == (!earlier && began > changed));
          }
        }
      }
    }
  }

  TEST_CASE("a time that was set says at most that a file is older") {
    Entry file;
    file.kind = EntryKind::File;
    file.ctime_ns = 5;
    file.mtime_ns = 3;
    CHECK(shadow::bases::content_written_ns(file) == 3);
    CHECK(shadow::bases::entry_written_ns(file) == 5);
    file.mtime_ns = 9;
    CHECK(shadow::bases::content_written_ns(file) == 5);
    CHECK(shadow::bases::content_written_ns({}) == INT64_MAX);
  }
}
