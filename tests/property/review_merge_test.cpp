// SPDX-License-Identifier: MIT
#include "review/merge.hpp"
#include "support/chance.hpp"
#include "support/process.hpp"
#include "support/scratch.hpp"
#include "support/text.hpp"

#include <doctest/doctest.h>

#include <string>

using shadow::test::Chance;
using shadow::test::edited_text;
using shadow::test::first_seed;
using shadow::test::Outcome;
using shadow::test::random_text;
using shadow::test::rounds;
using shadow::test::run;
using shadow::test::Scratch;
using shadow::test::write_file;
using Result = shadow::review::MergeResult::Outcome;

namespace {

// git chooses CRLF for its markers by other rules when line ends are mixed; that part is ours.
bool one_style(const std::string& text) {
  return text.find('\r') == std::string::npos;
}

void try_merge(Chance& chance) {
  const std::string base = random_text(chance, 30);
  const std::string ours = edited_text(chance, base);
  const std::string theirs = edited_text(chance, base);
  if (!one_style(base + ours + theirs)) {
    return;
  }
  const Scratch scratch;
  write_file(scratch / "base", base);
  write_file(scratch / "ours", ours);
  write_file(scratch / "theirs", theirs);
  const Outcome git = run({"git", "merge-file", "-p", "--diff3", "-L", "project", "-L", "base",
                           "-L", "session", "ours", "base", "theirs"},
                          scratch.path());
  CAPTURE(base);
  CAPTURE(ours);
  CAPTURE(theirs);
  const shadow::review::MergeResult merged = shadow::review::merge_text(base, ours, theirs, {});
  CHECK(merged.text == git.out);
  CHECK((merged.outcome == Result::Clean) == (git.status == 0));
}

std::string with_crlf(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c == '\n' ? "\r\n" : std::string{c};
  }
  return out;
}

}  // namespace

TEST_SUITE("property/review_merge") {
  TEST_CASE("texts merge as git merge-file merges them") {
    for (std::uint64_t seed = first_seed(), end = seed + rounds(300); seed < end; ++seed) {
      CAPTURE(seed);
      Chance chance{seed};
      try_merge(chance);
    }
  }

  TEST_CASE("a change of all line ends merges with any other change") {
    for (std::uint64_t seed = first_seed(), end = seed + rounds(300); seed < end; ++seed) {
      CAPTURE(seed);
      Chance chance{seed};
      const std::string base = random_text(chance, 30);
      if (!one_style(base)) {
        continue;
      }
      const std::string ours = edited_text(chance, base);
      const shadow::review::MergeResult one =
          shadow::review::merge_text(base, ours, with_crlf(base), {});
      CHECK(one.outcome == Result::Clean);
      CHECK((one.text == with_crlf(ours) || base.find('\n') == std::string::npos));
      const shadow::review::MergeResult other =
          shadow::review::merge_text(base, with_crlf(base), ours, {});
      CHECK(other.text == one.text);
    }
  }
}
