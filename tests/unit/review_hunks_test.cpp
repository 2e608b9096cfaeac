// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "review/hunks.hpp"
#include "review/text_diff.hpp"

#include <doctest/doctest.h>

#include <string>

using shadow::Hunk;
using shadow::review::EditedSide;

namespace {

std::string text_of(const Hunk& hunk) {
  std::string text;
  shadow::write_hunk(hunk, [&](shadow::PatchPart, std::string_view line) { text += line; });
  return text;
}

const std::string before_text = "1\n2\n3\n4\n5\n";
const std::string after_text = "one\n2\n3\nfour\n5\n";

Hunk only_hunk() {
  const auto hunks = shadow::review::find_hunks(before_text, after_text);
  REQUIRE(hunks.has_value());
  REQUIRE(hunks->size() == 1);
  return hunks->front();
}

}  // namespace

TEST_SUITE("review/hunks") {
  TEST_CASE("a hunk is written as in a patch") {
    CHECK(text_of(only_hunk()) == "@@ -1,5 +1,5 @@\n-1\n+one\n 2\n 3\n-4\n+four\n 5\n");
    const auto created = shadow::review::find_hunks("", "x");
    REQUIRE(created.has_value());
    CHECK(text_of(created->front()) == "@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n");
  }

  TEST_CASE("a hunk splits where unchanged lines stand between the changes") {
    const auto pieces = shadow::split_hunk(only_hunk());
    REQUIRE(pieces.size() == 2);
    CHECK(text_of(pieces[0]) == "@@ -1,3 +1,3 @@\n-1\n+one\n 2\n 3\n");
    CHECK(text_of(pieces[1]) == "@@ -2,4 +2,4 @@\n 2\n 3\n-4\n+four\n 5\n");
    CHECK(shadow::split_hunk(pieces[0]).size() == 1);
    CHECK(shadow::review::apply_hunks(before_text, {pieces[1]}) == "1\n2\n3\nfour\n5\n");
    CHECK(shadow::review::apply_hunks(after_text, {shadow::review::reversed(pieces[1])}) ==
          "one\n2\n3\n4\n5\n");
    CHECK(shadow::review::apply_hunks(before_text, {pieces[1], pieces[0]}) == after_text);
  }

  TEST_CASE("equal texts have no hunks, binary ones cannot have any") {
    CHECK(shadow::review::find_hunks("a\n", "a\n")->empty());
    CHECK_FALSE(shadow::review::find_hunks(std::string{"a\0\0", 3}, "a\n").has_value());
    CHECK_FALSE(shadow::review::find_hunks("a\n", std::string{"PK\3\4\0\0", 6}).has_value());
  }

  TEST_CASE("a hunk that does not fit the text, or is taken twice, is refused") {
    CHECK_THROWS_AS(shadow::review::apply_hunks("other\n", {only_hunk()}), shadow::Error);
    CHECK_THROWS_AS(shadow::review::apply_hunks("", {only_hunk()}), shadow::Error);
    CHECK_THROWS_AS(shadow::review::apply_hunks(before_text, {only_hunk(), only_hunk()}),
                    shadow::Error);
  }

  TEST_CASE("an edited hunk changes what is taken") {
    const auto edited = shadow::review::edit_hunk(
        only_hunk(), "# help\n@@ -1,5 +1,5 @@\n-1\n+uno\n 2\n 3\n 4\n+4 1/2\n 5\n",
        EditedSide::Before);
    REQUIRE(edited.has_value());
    CHECK(shadow::review::apply_hunks(before_text, {*edited}) == "uno\n2\n3\n4\n4 1/2\n5\n");
  }

  TEST_CASE("an edited hunk changes what is undone") {
    const auto edited =
        shadow::review::edit_hunk(only_hunk(), "-1\n+one\n 2\n 3\n four\n 5\n", EditedSide::After);
    REQUIRE(edited.has_value());
    CHECK(shadow::review::apply_hunks(after_text, {shadow::review::reversed(*edited)}) ==
          "1\n2\n3\nfour\n5\n");
  }

  TEST_CASE(
      "an edited hunk that is none, or fits no more, is refused; one without changes is none") {
    CHECK_THROWS_AS(shadow::review::edit_hunk(only_hunk(), "nonsense\n", EditedSide::Before),
                    shadow::Error);
    CHECK_THROWS_AS(shadow::review::edit_hunk(only_hunk(), "+one\n", EditedSide::Before),
                    shadow::Error);
    CHECK_THROWS_AS(shadow::review::edit_hunk(only_hunk(), "", EditedSide::Before), shadow::Error);
    CHECK_THROWS_AS(shadow::review::edit_hunk(only_hunk(), "\\ No newline\n", EditedSide::Before),
                    shadow::Error);
    CHECK_FALSE(shadow::review::edit_hunk(only_hunk(), " 1\n 2\n 3\n 4\n 5\n", EditedSide::Before)
                    .has_value());
  }

  TEST_CASE("a line cannot be put behind one that has no newline") {
    const auto hunks = shadow::review::find_hunks("a", "a\nb");
    REQUIRE(hunks.has_value());
    const auto edited = shadow::review::edit_hunk(
        hunks->front(), " a\n\\ No newline at end of file\n+b\n", EditedSide::Before);
    REQUIRE(edited.has_value());
    CHECK_THROWS_AS(shadow::review::apply_hunks("a", {*edited}), shadow::Error);
  }

  TEST_CASE("what an interpreter reads is text whatever NULs are in it") {
    using namespace std::string_literals;
    const std::string nuls(100, '\0');
    for (const std::string& text : {
             "echo hostile6\n\0\n"s,
             "a\0"s,
             "echo hostile; echo more code here\n"s + nuls,
             "# \xff\xfe\x01\necho hostile\n"s + nuls,
             "\x7f"
             "ELF\necho hostile\n"s +
                 nuls,
             "#!/bin/sh\n"s + nuls,
             "id\n"s + nuls,
             "plain\n"s,
         }) {
      CAPTURE(text);
      CHECK(shadow::review::is_text_with_nuls(text));
      CHECK(shadow::review::find_hunks("", text).has_value());
    }
    for (const std::string& binary : {
             "\x7f"
             "ELF\2\1\1"s +
                 nuls,
             "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"s + nuls,
             "PK\3\4\n\0\0\0\0\0a.txt"s + nuls + "echo\ntext\n",
             "SQLite format 3\0\x10\0\1\1"s + nuls + "CREATE TABLE t (\n  a\n)\n",
             "!<arch>\n/               0           0     0     0       14        `\n"s + nuls,
             "\x1f\x8b\x08\0abcdefgh"s,
             "\xa7\r\r\n"s + nuls,
             "\0\0\0\0name"s + nuls,
             nuls,
         }) {
      CAPTURE(binary);
      CHECK_FALSE(shadow::review::is_text_with_nuls(binary));
      CHECK_FALSE(shadow::review::find_hunks("", binary).has_value());
    }
  }

  TEST_CASE("a text that becomes something else, and what can be executed, is shown") {
    using namespace std::string_literals;
    const std::string odd = std::string(50, '\0') + "\necho hostile\n";
    CHECK_FALSE(shadow::review::find_hunks("", odd).has_value());
    CHECK(shadow::review::find_hunks("echo\n", odd).has_value());
    CHECK(shadow::review::find_hunks("", odd, 3, shadow::review::Executable::Yes).has_value());
    const std::string program =
        "\x7f"
        "ELF\2\1\1\0\0\0\0"s;
    CHECK_FALSE(shadow::review::find_hunks("echo\n", program).has_value());
    CHECK_FALSE(
        shadow::review::find_hunks("", program, 3, shadow::review::Executable::Yes).has_value());
    CHECK_FALSE(
        shadow::review::find_hunks(program, odd, 3, shadow::review::Executable::Yes).has_value());
  }
}
