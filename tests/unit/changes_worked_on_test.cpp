// SPDX-License-Identifier: MIT
// What became of a change of the project's in a text that was written after it.

#include "changes/worked_on.hpp"

#include <doctest/doctest.h>

#include <string>

using shadow::changes::has_lines_given_up;
using shadow::changes::is_on_the_way;
using shadow::changes::keeps_lines_given_up;
using shadow::changes::settles_markers;
using shadow::changes::worked_on_text;
using shadow::promote::WorkedOn;

namespace {

const std::string base = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

}  // namespace

TEST_SUITE("changes/worked_on") {
  TEST_CASE("a line that the project replaced") {
    const std::string project = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n";
    CHECK(worked_on_text(base, project, "1\n2\n3\n4\nfive\n6\n7\neight\n9\n") == WorkedOn::Kept);
    CHECK(worked_on_text(base, project, "1\n2\n3\n4\nfive\nmore\n6\n7\n8\n9\n") == WorkedOn::Kept);
    CHECK(worked_on_text(base, project, "1\n2\n3\n4\nFIVE\n6\n7\n8\n9\n") == WorkedOn::Replaced);
    CHECK(worked_on_text(base, project, "1\n2\n3\n4\n6\n7\n8\n9\n") == WorkedOn::Replaced);
    CHECK(worked_on_text(base, project, "1\n2\n3\n4\n5\n6\n7\neight\n9\n") == WorkedOn::TakenBack);
    CHECK(worked_on_text(base, project, "1\n2\n3\n4\n5\nfive\n6\n7\n8\n9\n") ==
          WorkedOn::TakenBack);
    CHECK(worked_on_text(base, project, "other\n") == WorkedOn::Replaced);
  }

  TEST_CASE("lines that the project put in") {
    const std::string project = "1\n2\n3\n4\n5\nnew\n6\n7\n8\n9\n";
    CHECK(worked_on_text(base, project, "1\n2\n3\n4\n5\nnew\n6\n7\neight\n9\n") == WorkedOn::Kept);
    CHECK(worked_on_text(base, project, "1\n2\n3\n4\n5\nNEW\n6\n7\n8\n9\n") == WorkedOn::Replaced);
    CHECK(worked_on_text(base, project, "1\n2\n3\n4\n5\n6\n7\neight\n9\n") == WorkedOn::TakenBack);
    // The agent's own change stands right beside the place, and the line is gone all the same.
    CHECK(worked_on_text(base, project, "1\n2\n3\n4\n5\nsix\n7\n8\n9\n") == WorkedOn::TakenBack);
    CHECK(worked_on_text(base, project, "1\n2\n3\n4\nfive\n6\n7\n8\n9\n") == WorkedOn::TakenBack);
    CHECK(worked_on_text(base, "1\n2\n3\nnew\nnewer\n4\n5\n6\n7\n8\n9\n",
                         "1\n2\n3\nnew\nbetween\nnewer\n4\n5\n6\n7\n8\n9\n") == WorkedOn::Kept);
  }

  TEST_CASE("lines that the project took out") {
    const std::string project = "1\n2\n3\n4\n6\n7\n8\n9\n";
    CHECK(worked_on_text(base, project, "1\n2\n3\n4\n6\n7\neight\n9\n") == WorkedOn::Kept);
    CHECK(worked_on_text(base, project, "1\n2\n3\n4\nother\n6\n7\n8\n9\n") == WorkedOn::Kept);
    CHECK(worked_on_text(base, project, "1\n2\n3\n4\n5\n6\n7\neight\n9\n") == WorkedOn::TakenBack);
  }

  TEST_CASE("the worst of several places counts") {
    const std::string project = "one\n2\n3\n4\nfive\n6\n7\n8\nnine\n";
    CHECK(worked_on_text(base, project, "one\n2\n3\n4\nFIVE\n6\n7\n8\nnine\n") ==
          WorkedOn::Replaced);
    CHECK(worked_on_text(base, project, "one\n2\n3\n4\nFIVE\n6\n7\n8\n9\n") == WorkedOn::TakenBack);
  }

  TEST_CASE("a file that the project made") {
    CHECK(worked_on_text("", "a\nb\n", "a\nb\nc\n") == WorkedOn::Kept);
    CHECK(worked_on_text("", "a\nb\n", "a\nB\n") == WorkedOn::Replaced);
    CHECK(worked_on_text("", "a\nb\n", "c\n") == WorkedOn::TakenBack);
  }

  TEST_CASE("lines that were read, and that the project has given up since") {
    const std::string later = "1\n2\n3\na\nb\n4\n5\n6\n7\n8\n9\n";
    const std::string one_left = "1\n2\n3\na\n4\n5\n6\n7\n8\n9\n";
    const std::string other_left = "1\n2\n3\nb\n4\n5\n6\n7\n8\n9\n";
    CHECK(keeps_lines_given_up(base, later, base, one_left));
    CHECK(keeps_lines_given_up(base, later, "1\n2\n3\n4\n5\n6\n7\n8\nnine\n", one_left));
    CHECK_FALSE(keeps_lines_given_up(base, later, base, base));
    CHECK_FALSE(keeps_lines_given_up(base, later, base, "1\n2\n3\nown\n4\n5\n6\n7\n8\n9\n"));
    CHECK_FALSE(keeps_lines_given_up(base, later, one_left, one_left));
    // A brace of its own at the same place.
    CHECK_FALSE(keeps_lines_given_up(base, "1\n2\n3\nf() {\n}\n\n4\n5\n6\n7\n8\n9\n", base,
                                     "1\n2\n3\ng() {\n}\n\n4\n5\n6\n7\n8\n9\n"));
    // The project has "b" still: that the session has it not does not take it away.
    CHECK_FALSE(keeps_lines_given_up(base, later, other_left, one_left));
    CHECK_FALSE(keeps_lines_given_up(base, later, later, one_left));
    // But a merge by the base would bring "a" back.
    CHECK(has_lines_given_up(base, later, other_left, one_left));
    CHECK_FALSE(has_lines_given_up(base, later, later, one_left));
    CHECK_FALSE(has_lines_given_up(base, later, one_left, base));
  }

  TEST_CASE("what was taken out and stays so is not brought back") {
    const std::string later = "1\n2\n3\na\n4\n5\n7\n8\n9\n";
    CHECK(keeps_lines_given_up(base, later, base, "1\n2\n3\na\n4\n5\n7\n8\nnine\n"));
    CHECK_FALSE(keeps_lines_given_up(base, later, "1\n2\n3\n4\n5\n7\n8\n9\n",
                                     "1\n2\n3\na\n4\n5\n6\n7\n8\n9\n"));
  }

  TEST_CASE("a conflict is settled where no marker is left") {
    const std::string shown = "1\n<<<<<<< project\na\n=======\nb\n>>>>>>> session: x\n2\n";
    CHECK(settles_markers(shown, "1\nb\n2\n"));
    CHECK(settles_markers(shown, "1\n=======\n2\n"));
    CHECK(settles_markers("<<<<<<<<< project\n>>>>>>>>> session: x", ""));
    // A merge of the user's own.
    CHECK_FALSE(settles_markers("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n", "a\n"));
    CHECK_FALSE(settles_markers(shown, shown));
    CHECK_FALSE(settles_markers("1\n2\n", "1\n"));
    CHECK_FALSE(settles_markers("<<<<<<<project\n>>>>>>> session: x\n", "1\n"));
    CHECK_FALSE(settles_markers("<<<<<< project\n>>>>>> session: x\n", "1\n"));
  }

  TEST_CASE("a version on the way has no line that the two do not show") {
    const std::string after = "1\n2\na\nb\n3\n5\n6\n7\neight\n9\n";
    CHECK(is_on_the_way(base, base, after));
    CHECK(is_on_the_way(base, after, after));
    CHECK(is_on_the_way(base, "1\n2\na\n3\n4\n5\n6\n7\n8\n9\n", after));
    CHECK(is_on_the_way(base, "1\n2\nb\n3\n5\n6\n7\n9\n", after));
    CHECK(is_on_the_way("", "1\n2\n", base));
    // A line that is taken back, also beside one that stays.
    CHECK_FALSE(is_on_the_way(base, "1\n2\na\nevil\n3\n4\n5\n6\n7\n8\n9\n", after));
    CHECK_FALSE(is_on_the_way("", "1\nevil\n", base));
    CHECK_FALSE(is_on_the_way(base, base + "evil\n", base));
    // One that is away meanwhile.
    CHECK_FALSE(is_on_the_way(base, "1\n2\n3\n4\n5\n6\n8\n9\n", after));
    CHECK_FALSE(is_on_the_way(base, "", base));
    // In another order.
    CHECK_FALSE(is_on_the_way(base, "1\n2\nb\na\n3\n4\n5\n6\n7\n8\n9\n", after));
  }

  TEST_CASE("what is not text cannot be told") {
    CHECK_FALSE(is_on_the_way(base, std::string{"a\0b\0", 4}, base));
    CHECK_FALSE(keeps_lines_given_up(base, std::string{"a\0b\0", 4}, base, "a\n"));
    CHECK(worked_on_text(base, std::string{"a\0b\0", 4}, "x\n") == std::nullopt);
  }
}
