// SPDX-License-Identifier: MIT
#include "review/merge.hpp"

#include <doctest/doctest.h>

#include <string>

using shadow::review::merge_text;
using Result = shadow::review::MergeResult::Outcome;

TEST_SUITE("review/merge") {
  TEST_CASE("changes of different lines merge") {
    const auto merged = merge_text("1\n2\n3\n4\n5\n6\n7\n", "one\n2\n3\n4\n5\n6\n7\n",
                                   "1\n2\n3\n4\n5\n6\nseven\n", {});
    CHECK(merged.outcome == Result::Clean);
    CHECK(merged.text == "one\n2\n3\n4\n5\n6\nseven\n");
  }

  TEST_CASE("changes of the same line conflict, with the base between the markers") {
    const auto merged = merge_text("1\n", "one\n", "eins\n", {"project", "base", "session: x"});
    CHECK(merged.outcome == Result::Conflict);
    CHECK(merged.text ==
          "<<<<<<< project\none\n||||||| base\n1\n=======\neins\n>>>>>>> session: x\n");
  }

  TEST_CASE("markers are longer than those that stand in the text already") {
    const auto merged = merge_text("1\n", "<<<<<<< a\n", "2\n", {});
    CHECK(merged.text.rfind("<<<<<<<< project\n", 0) == 0);
  }

  TEST_CASE("a side that is not text cannot be merged") {
    const std::string binary{"a\0b", 3};
    CHECK(merge_text("1\n", binary, "2\n", {}).outcome == Result::Binary);
    CHECK(merge_text("1\n", binary, "2\n", {}).text.empty());
  }

  TEST_CASE("line ends merge apart from the lines") {
    const auto merged = merge_text("1\n2\n3\n4\n", "1\r\n2\r\n3\r\n4\r\n", "1\n2\n3\nfour\n", {});
    CHECK(merged.outcome == Result::Clean);
    CHECK(merged.text == "1\r\n2\r\n3\r\nfour\r\n");
    CHECK(merge_text("1\r\n2\r\n", "1\n2\n", "1\r\n2\r\n3\r\n", {}).text == "1\n2\n3\n");
  }

  TEST_CASE("empty texts merge") {
    CHECK(merge_text("", "", "new\n", {}).text == "new\n");
    CHECK(merge_text("old\n", "", "", {}).text.empty());
    CHECK(merge_text("", "a\n", "b\n", {}).outcome == Result::Conflict);
  }
}
