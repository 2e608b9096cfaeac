// SPDX-License-Identifier: MIT
#include "commits/refs/ref_names.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace shadow;

TEST_CASE("a new ref whose name a shell would expand stays in the session") {
  const commits::KnownRefs known;
  for (const char* sign : {"$(x)", "`x`", "a;b", "a|b", "a&b", "a<b", "a>b", "(a", "a)", "a'b",
                           "a\"b", "%n", "!x", "a\\b"}) {
    for (const char* place : {"refs/heads/", "refs/tags/", "refs/heads/topic/"}) {
      CHECK_MESSAGE(!commits::fault_of_new_ref(std::string{place} + sign, known, false).empty(),
                    sign);
    }
  }
  for (const char* name : {"topic", "fix/a-b_c.d", "v1.2+3", "a#1", "a@b", "\xc3\xa9=,{}"}) {
    CHECK_MESSAGE(
        commits::fault_of_new_ref(std::string{"refs/heads/"} + name, known, false).empty(), name);
  }
}
