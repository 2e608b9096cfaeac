// SPDX-License-Identifier: MIT
#include "base/amounts.hpp"
#include "base/hash.hpp"
#include "base/numbers.hpp"
#include "base/relative_path.hpp"
#include "base/text.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

using namespace std::string_literals;

TEST_SUITE("base/text") {
  TEST_CASE("control characters, overrides and broken UTF-8 are shown, letters stay") {
    CHECK(shadow::printable("a b\xc3\xa4") == "a b\xc3\xa4");
    CHECK(shadow::printable("\x1b[31m\n") == "\\x1b[31m\\n");
    CHECK(shadow::printable("x\xe2\x80\xaey\xe2\x80\xac") == "x\\u202ey\\u202c");
    CHECK(shadow::printable("\xff\xc0\x80") == "\\xff\\xc0\\x80");
    CHECK(shadow::printable_text("a\n\tb\r") == "a\n\tb\\r");
  }

  TEST_CASE("signs without a glyph and blanks that are not the common one are shown") {
    CHECK(shadow::printable("a\xf0\x9d\x85\x99z") == "a\\U0001d159z");
    CHECK(shadow::printable("a\xf0\x96\xbf\xa4z") == "a\\U00016fe4z");
    CHECK(shadow::printable_text("a\xc2\xa0z") == "a\\u00a0z");
    CHECK(shadow::printable_text("\xe1\x9a\x80\xe2\x80\x80\xe2\x80\x8a\xe2\x80\xaf\xe2\x81\x9f") ==
          "\\u1680\\u2000\\u200a\\u202f\\u205f");
    CHECK(shadow::printable_text("\xc2\x85\xc2\xad") == "\\x85\\u00ad");
    CHECK(shadow::printable_text("a b\xe2\x80\x90\xc3\xa9") == "a b\xe2\x80\x90\xc3\xa9");
  }

  TEST_CASE("an ideographic space stays in a text where it stands beside a wide sign") {
    const std::string space = "\xe3\x80\x80";
    const std::string kanji = "\xe6\xbc\xa2";
    CHECK(shadow::printable_text("\n" + space + kanji) == "\n" + space + kanji);
    CHECK(shadow::printable_text(kanji + space + "a") == kanji + space + "a");
    CHECK(shadow::printable_text("x =" + space + "1") == "x =\\u30001");
    CHECK(shadow::printable_text(space) == "\\u3000");
    CHECK(shadow::printable(kanji + space) == kanji + "\\u3000");
  }

  TEST_CASE("each byte is two digits, also one that is no letter") {
    CHECK(shadow::hex_of(std::string_view{"\0a\xff", 3}) == "0061ff");
    CHECK(shadow::hex_of("").empty());
  }

  TEST_CASE("paths are quoted as git quotes them") {
    CHECK(shadow::git_quoted("a b") == "a b");
    CHECK(shadow::git_quoted("a\tb\"\xc3\xa4") == R"("a\tb\"\303\244")");
  }

  TEST_CASE("numbers are read off the start of a line, all of them or none") {
    int small = 0;
    std::uint64_t large = 0;
    CHECK(shadow::read_numbers("  -7 18446744073709551615 rest", small, large) == " rest");
    CHECK(small == -7);
    CHECK(large == std::numeric_limits<std::uint64_t>::max());
    CHECK(shadow::read_numbers("1 2", small, large) == "");
    for (const char* line : {"", " ", "1", "1 ", "1 x", "1 -2", "2147483648 2",
                             "1 18446744073709551616", "\xff", "1\n2"}) {
      CAPTURE(line);
      CHECK_FALSE(shadow::read_numbers(line, small, large).has_value());
    }
  }

  TEST_CASE("a shell reads the words back") {
    CHECK(shadow::shell_quoted("a/b.c") == "a/b.c");
    CHECK(shadow::shell_quoted("") == "''");
    CHECK(shadow::shell_quoted("it's") == R"('it'\''s')");
    CHECK(shadow::shell_quoted("a\nb") == R"($'a\x0ab')");
  }
}

TEST_SUITE("base/hash") {
  TEST_CASE("a stream of pieces hashes as the whole") {
    shadow::Hasher hasher;
    hasher.update("ab");
    hasher.update("c");
    CHECK(hasher.digest() == shadow::hash_bytes("abc"));
    CHECK(shadow::hash_from_hex(shadow::to_hex(hasher.digest())) == hasher.digest());
    CHECK_FALSE(shadow::hash_from_hex("zz"));
  }
}

TEST_SUITE("base/amounts") {
  TEST_CASE("sizes and durations are read as people write them") {
    CHECK(shadow::parse_size("64K") == 65536U);
    CHECK(shadow::parse_size("1.5GiB") == 1610612736U);
    CHECK_FALSE(shadow::parse_size("1X"));
    CHECK_FALSE(shadow::parse_size("-1"));
    CHECK(shadow::human_size(1536) == "1.5 KiB");
    CHECK(shadow::parse_duration("1.5m") == 90'000'000'000);
    CHECK_FALSE(shadow::parse_duration("0"));
    CHECK(shadow::human_duration(250'000'000'000) == "4 min 10 s");
  }
}

TEST_SUITE("base/relative_path") {
  TEST_CASE("dots are resolved as text, and nothing leads above the root") {
    CHECK(shadow::without_dots("/a/./b//c/..") == "/a/b");
    CHECK(shadow::without_dots("a") == "/a");
    CHECK(shadow::without_dots("/../..") == "/");
    CHECK(shadow::without_dots("/a..b/...") == "/a..b/...");
  }

  TEST_CASE("a path is shown as seen from a directory") {
    CHECK(shadow::relative_path("a/b", "") == "a/b");
    CHECK(shadow::relative_path("a/b", "a") == "b");
    CHECK(shadow::relative_path("a/b", "ab") == "../a/b");
    CHECK(shadow::relative_path("a/b", "a/c/d") == "../../b");
    CHECK(shadow::relative_path("a", "a") == "./");
    CHECK(shadow::relative_path("a", "a/b") == "../");
    CHECK(shadow::relative_path(":x", "") == "./:x");
    CHECK(shadow::relative_path("a/:x", "b") == "../a/:x");
  }
}
