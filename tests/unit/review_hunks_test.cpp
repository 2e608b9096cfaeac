// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"
#include "shadow/hunks.hpp"

#include <doctest/doctest.h>

#include <string>

using shadow::EditedSide;
using shadow::Hunk;

namespace {

std::string text_of(const Hunk& hunk) {
  std::string text;
  shadow::write_hunk(hunk, [&](shadow::PatchPart, std::string_view line) { text += line; });
  return text;
}

const std::string before_text = "1\n2\n3\n4\n5\n";
const std::string after_text = "one\n2\n3\nfour\n5\n";

Hunk only_hunk() {
  const auto hunks = shadow::find_hunks(before_text, after_text);
  REQUIRE(hunks.has_value());
  REQUIRE(hunks->size() == 1);
  return hunks->front();
}

}  // namespace

TEST_SUITE("review/hunks") {
  TEST_CASE("a hunk is written as in a patch") {
    CHECK(text_of(only_hunk()) == "@@ -1,5 +1,5 @@\n-1\n+one\n 2\n 3\n-4\n+four\n 5\n");
    const auto created = shadow::find_hunks("", "x");
    REQUIRE(created.has_value());
    CHECK(text_of(created->front()) == "@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n");
  }

  TEST_CASE("a hunk splits where unchanged lines stand between the changes") {
    const auto pieces = shadow::split_hunk(only_hunk());
    REQUIRE(pieces.size() == 2);
    CHECK(text_of(pieces[0]) == "@@ -1,3 +1,3 @@\n-1\n+one\n 2\n 3\n");
    CHECK(text_of(pieces[1]) == "@@ -2,4 +2,4 @@\n 2\n 3\n-4\n+four\n 5\n");
    CHECK(shadow::split_hunk(pieces[0]).size() == 1);
    CHECK(shadow::apply_hunks(before_text, {pieces[1]}) == "1\n2\n3\nfour\n5\n");
    CHECK(shadow::apply_hunks(after_text, {shadow::reversed(pieces[1])}) == "one\n2\n3\n4\n5\n");
    CHECK(shadow::apply_hunks(before_text, {pieces[1], pieces[0]}) == after_text);
  }

  TEST_CASE("equal texts have no hunks, binary ones cannot have any") {
    CHECK(shadow::find_hunks("a\n", "a\n")->empty());
    CHECK_FALSE(shadow::find_hunks(std::string{"a\0", 2}, "a\n").has_value());
  }

  TEST_CASE("a hunk that does not fit the text, or is taken twice, is refused") {
    CHECK_THROWS_AS(shadow::apply_hunks("other\n", {only_hunk()}), shadow::Error);
    CHECK_THROWS_AS(shadow::apply_hunks("", {only_hunk()}), shadow::Error);
    CHECK_THROWS_AS(shadow::apply_hunks(before_text, {only_hunk(), only_hunk()}), shadow::Error);
  }

  TEST_CASE("an edited hunk changes what is taken") {
    const auto edited = shadow::edit_hunk(
        only_hunk(), "# help\n@@ -1,5 +1,5 @@\n-1\n+uno\n 2\n 3\n 4\n+4 1/2\n 5\n",
        EditedSide::Before);
    REQUIRE(edited.has_value());
    CHECK(shadow::apply_hunks(before_text, {*edited}) == "uno\n2\n3\n4\n4 1/2\n5\n");
  }

  TEST_CASE("an edited hunk changes what is undone") {
    const auto edited =
        shadow::edit_hunk(only_hunk(), "-1\n+one\n 2\n 3\n four\n 5\n", EditedSide::After);
    REQUIRE(edited.has_value());
    CHECK(shadow::apply_hunks(after_text, {shadow::reversed(*edited)}) == "1\n2\n3\nfour\n5\n");
  }

  TEST_CASE(
      "an edited hunk that is none, or fits no more, is refused; one without changes is none") {
    CHECK_THROWS_AS(shadow::edit_hunk(only_hunk(), "nonsense\n", EditedSide::Before),
                    shadow::Error);
    CHECK_THROWS_AS(shadow::edit_hunk(only_hunk(), "+one\n", EditedSide::Before), shadow::Error);
    CHECK_THROWS_AS(shadow::edit_hunk(only_hunk(), "", EditedSide::Before), shadow::Error);
    CHECK_THROWS_AS(shadow::edit_hunk(only_hunk(), "\\ No newline\n", EditedSide::Before),
                    shadow::Error);
    CHECK_FALSE(
        shadow::edit_hunk(only_hunk(), " 1\n 2\n 3\n 4\n 5\n", EditedSide::Before).has_value());
  }

  TEST_CASE("a line cannot be put behind one that has no newline") {
    const auto hunks = shadow::find_hunks("a", "a\nb");
    REQUIRE(hunks.has_value());
    const auto edited = shadow::edit_hunk(hunks->front(), " a\n\\ No newline at end of file\n+b\n",
                                          EditedSide::Before);
    REQUIRE(edited.has_value());
    CHECK_THROWS_AS(shadow::apply_hunks("a", {*edited}), shadow::Error);
  }
}
