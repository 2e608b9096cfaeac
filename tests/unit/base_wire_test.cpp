// SPDX-License-Identifier: MIT
#include "base/wire.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>

using shadow::WireReader;
using shadow::WireWriter;

TEST_CASE("what was written is read back, whatever bytes it holds") {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  const std::string odd{"a\0\n\xff", 4};
  WireWriter out;
  out.number(kMost);
  out.text(odd);
  out.text("");
  const std::string bytes = out.take();

  WireReader in{bytes};
  CHECK(in.number() == kMost);
  CHECK(in.text() == odd);
  CHECK_FALSE(in.done());
  CHECK(in.text().empty());
  CHECK(in.done());
}

TEST_CASE("bytes that end early, anywhere, are no answer, and what follows them is empty") {
  WireWriter out;
  out.number(7);
  out.text("seven");
  const std::string bytes = out.take();

  for (std::size_t length = 0; length < bytes.size(); ++length) {
    WireReader in{std::string_view{bytes}.substr(0, length)};
    in.number();
    CHECK(in.text().empty());
    CHECK_FALSE(in.ok());
    CHECK_FALSE(in.done());
    CHECK(in.number() == 0);
  }
}

TEST_CASE("a length that lies does not lead beyond the end") {
  WireWriter out;
  out.number(std::numeric_limits<std::uint64_t>::max());
  const std::string bytes = out.take() + "short";
  WireReader in{bytes};
  CHECK(in.text().empty());
  CHECK_FALSE(in.ok());
}
