// SPDX-License-Identifier: MIT
#include "review/hunks.hpp"
#include "support/chance.hpp"
#include "support/process.hpp"
#include "support/scratch.hpp"
#include "support/text.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using shadow::test::Chance;
using shadow::test::edited_text;
using shadow::test::first_seed;
using shadow::test::Outcome;
using shadow::test::random_text;
using shadow::test::read_file;
using shadow::test::rounds;
using shadow::test::run;
using shadow::test::Scratch;
using shadow::test::write_file;

namespace {

std::vector<shadow::Hunk> hunks_of(Chance& chance, const std::string& before,
                                   const std::string& after) {
  const auto found =
      shadow::review::find_hunks(before, after, static_cast<unsigned>(chance.below(4)));
  REQUIRE(found.has_value());
  std::vector<shadow::Hunk> hunks;
  for (const shadow::Hunk& hunk : *found) {
    if (chance.one_in(2)) {
      for (shadow::Hunk& piece : shadow::split_hunk(hunk)) {
        hunks.push_back(std::move(piece));
      }
    } else {
      hunks.push_back(hunk);
    }
  }
  return hunks;
}

std::string text_of(const shadow::Hunk& hunk) {
  std::string text;
  shadow::write_hunk(hunk, [&](shadow::PatchPart, std::string_view line) { text += line; });
  return text;
}

// Takes a random subset, in random order, and checks that what was left out is the rest.
std::string take_some(Chance& chance, const std::string& before, const std::string& after) {
  std::vector<shadow::Hunk> taken;
  std::vector<shadow::Hunk> left;
  for (const shadow::Hunk& hunk : hunks_of(chance, before, after)) {
    auto& list = chance.one_in(2) ? taken : left;
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(chance.below(list.size() + 1)), hunk);
  }
  std::vector<shadow::Hunk> undone;
  undone.reserve(left.size());
  for (const shadow::Hunk& hunk : left) {
    undone.push_back(shadow::review::reversed(hunk));
  }
  std::string result = shadow::review::apply_hunks(before, taken);
  CHECK(shadow::review::apply_hunks(after, undone) == result);
  return result;
}

}  // namespace

TEST_SUITE("property/review_hunks") {
  TEST_CASE("subsets of hunks in any order, and then the rest, give the whole change") {
    for (std::uint64_t seed = first_seed(), end = seed + rounds(3000); seed < end; ++seed) {
      CAPTURE(seed);
      Chance chance{seed};
      const std::string before = chance.one_in(10) ? "" : random_text(chance, 60);
      const std::string after = chance.one_in(10)  ? ""
                                : chance.one_in(4) ? random_text(chance, 60)
                                                   : edited_text(chance, before);
      std::string real = before;
      for (int round = 0; round < 3; ++round) {
        real = take_some(chance, real, after);
      }
      const auto rest = shadow::review::find_hunks(real, after);
      REQUIRE(rest.has_value());
      CHECK(shadow::review::apply_hunks(real, *rest) == after);
    }
  }

  TEST_CASE("a hunk that is written and read back unedited is the same") {
    for (std::uint64_t seed = first_seed(), end = seed + rounds(1000); seed < end; ++seed) {
      CAPTURE(seed);
      Chance chance{seed};
      const std::string before = random_text(chance, 60);
      const std::string after = edited_text(chance, before);
      for (const shadow::Hunk& hunk : hunks_of(chance, before, after)) {
        const auto again =
            shadow::review::edit_hunk(hunk, text_of(hunk), shadow::review::EditedSide::Before);
        REQUIRE(again.has_value());
        CHECK(text_of(*again) == text_of(hunk));
        CHECK(shadow::review::apply_hunks(before, {*again}) ==
              shadow::review::apply_hunks(before, {hunk}));
      }
    }
  }

  TEST_CASE("git apply takes any subset of the hunks as they are written") {
    for (std::uint64_t seed = first_seed(), end = seed + rounds(100); seed < end; ++seed) {
      CAPTURE(seed);
      Chance chance{seed};
      const std::string before = random_text(chance, 80) + "end\n";
      const std::string after = edited_text(chance, edited_text(chance, before));
      const auto found = shadow::review::find_hunks(before, after);
      REQUIRE(found.has_value());
      std::vector<shadow::Hunk> taken;
      std::string patch = "--- a/f\n+++ b/f\n";
      for (const shadow::Hunk& hunk : *found) {
        if (chance.one_in(2)) {
          taken.push_back(hunk);
          patch += text_of(hunk);
        }
      }
      const std::string result = shadow::review::apply_hunks(before, taken);
      if (taken.empty() || result.empty()) {
        continue;
      }
      const Scratch scratch;
      write_file(scratch / "f", before);
      CAPTURE(patch);
      const Outcome git = run({"git", "apply", "--whitespace=nowarn"}, scratch.path(), patch);
      CHECK(git.err == "");
      CHECK(read_file(scratch / "f") == result);
    }
  }
}
