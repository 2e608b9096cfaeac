// SPDX-License-Identifier: MIT
#include "sensitive/names/script_words.hpp"
#include "sensitive/scripts/git_commands.hpp"
#include "sensitive/scripts/quoted_text.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace shadow;

namespace {

bool has_whole_word(std::string_view text, std::string_view word) {
  const std::vector<std::string> words = sensitive::words_in_any_reading(text);
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

TEST_CASE("a word holds blanks and other signs as its language quotes them") {
  CHECK(has_whole_word("sh 'my tools/x'", "my tools/x"));
  CHECK(has_whole_word("sh \"my tools/x\"", "my tools/x"));
  CHECK(has_whole_word(R"(sh my\ tools/x)", "my tools/x"));
  CHECK(has_whole_word("sh my' 'tools/x", "my tools/x"));
  CHECK(has_whole_word("sh ~/\"My Projects\"/x", "~/My Projects/x"));
  CHECK(has_whole_word("\"$HOME/My Projects/x\"", "HOME/My Projects/x"));
  CHECK(has_whole_word("\"$(git rev-parse --show-toplevel)/my tools/x\"", "my tools/x"));
  CHECK(has_whole_word("\"$(cat \"my tools/x\")\"", "my tools/x"));
  CHECK(has_whole_word("sh \"it's here\" 'say \"x\"'", "it's here"));
  CHECK(has_whole_word("sh \"it's here\" 'say \"x\"'", "say \"x\""));
  CHECK(has_whole_word("sh -c 'sh \"my tools/x\"'", "my tools/x"));
  CHECK(has_whole_word("sh -c \"sh 'my tools/x'\"", "my tools/x"));
  CHECK(has_whole_word(R"({"command":"sh \"my tools/x\""})", "my tools/x"));
  CHECK(has_whole_word(R"({"a":"my tools\/too\u006c \u0061"})", "my tools/tool a"));
  CHECK(has_whole_word("sh tools/a,b.sh tools/a=b.sh --x=y", "tools/a,b.sh"));
  CHECK(has_whole_word("sh tools/a,b.sh tools/a=b.sh --x=y", "tools/a=b.sh"));
  CHECK(has_whole_word("sh 'a(1)&;|<>'", "a(1)&;|<>"));
  CHECK(has_whole_word("# don't\nsh 'my tools/x' # don't", "my tools/x"));
  CHECK(has_whole_word("say don't; sh my\\ tools/x", "my tools/x"));
  CHECK_FALSE(has_whole_word("sh my tools/x", "my tools/x"));
}

TEST_CASE("a text without quotes and signs within words is read once") {
  CHECK(sensitive::quoted_readings("sh tools/x\n. lib/y; D=z\n\"a\": 'b', [c]\n").empty());
  CHECK(sensitive::quoted_readings("sh 'a b'").size() == 1);
  CHECK(sensitive::without_stand_ins(sensitive::as_one_word("a b\t;|&()<>{}\"'`$=:,!c")) ==
        "a b\t;|&()<>{}\"'`$=:,!c");
}

TEST_CASE("very many quotes are read in one pass") {
  constexpr int kMany = 300'000;
  for (const std::string_view part : {"\"", "'", "\"'", "'\"", "\\", "\"$(", "${", "`", "\\\"",
                                      "a=", "a'b", "\\\n", "\"\n", "\\u00", "x\"a b\"y", "\"\"'"}) {
    std::string text;
    for (int i = 0; i < kMany; ++i) {
      text += part;
    }
    CHECK(sensitive::quoted_readings(text).size() <= 4);
  }
  CHECK(sensitive::mentions_in("\"" + std::string(kMany, 'x'), sensitive::TextKind::Words).size() ==
        2);
}
