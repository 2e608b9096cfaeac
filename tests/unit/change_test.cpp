// SPDX-License-Identifier: MIT
#include "shadow/change.hpp"

#include <doctest/doctest.h>

#include <string>

using shadow::ChangeKind;
using shadow::to_letter;
using shadow::to_word;

TEST_SUITE("change") {
  TEST_CASE("every kind of change has a word and git's letter") {
    CHECK(std::string{to_word(ChangeKind::Added)} == "added");
    CHECK(std::string{to_word(ChangeKind::Deleted)} == "deleted");
    CHECK(std::string{to_word(ChangeKind::Modified)} == "modified");
    CHECK(std::string{to_word(ChangeKind::TypeChanged)} == "type changed");
    CHECK(to_letter(ChangeKind::Added) == 'A');
    CHECK(to_letter(ChangeKind::Deleted) == 'D');
    CHECK(to_letter(ChangeKind::Modified) == 'M');
    CHECK(to_letter(ChangeKind::TypeChanged) == 'T');
  }

  TEST_CASE("a change set without changes is empty") {
    CHECK(shadow::ChangeSet{}.empty());
  }
}
