// SPDX-License-Identifier: MIT
#include "sensitive/leads/home_places.hpp"
#include "sensitive/names/script_lines.hpp"
#include "sensitive/names/script_words.hpp"
#include "sensitive/names/search_paths.hpp"
#include "sensitive/parts/json_scan.hpp"
#include "sensitive/scripts/run_words.hpp"
#include "sensitive/scripts/shell_values.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

using namespace shadow;

TEST_CASE("what stands right behind an interpreter or a dot is run, whatever it is called") {
  const auto runs = [](std::string_view line, std::string_view word) {
    return sensitive::RunWords{line}.has(word);
  };
  CHECK(runs(". lib/x.conf", "lib/x.conf"));
  CHECK(runs("[ -f y ] && . x.rc", "x.rc"));
  CHECK(runs("source \"$DIR/lib/x.inc\"", "lib/x.inc"));
  CHECK(runs(". \"$(dirname \"$0\")/lib/x.inc\"", "lib/x.inc"));
  CHECK(runs("source \"${BASH_SOURCE%/*}/lib/x.inc\"", "lib/x.inc"));
  CHECK(runs("/bin/bash -eu tools/x.conf a.conf", "tools/x.conf"));
  CHECK_FALSE(runs("/bin/bash -eu tools/x.conf a.conf", "a.conf"));
  CHECK(runs("python3.12 x.data", "x.data"));
  CHECK(runs("go run tools/x.go", "tools/x.go"));
  CHECK_FALSE(runs("npm run x.go", "x.go"));
  CHECK_FALSE(runs("source: src/main.data", "src/main.data"));
  CHECK_FALSE(runs("source = src/main.data", "src/main.data"));
  CHECK_FALSE(runs("grep x lib/x.conf", "lib/x.conf"));
  CHECK_FALSE(runs("bash; cat x.conf", "x.conf"));
  CHECK_FALSE(runs("python-config x.conf", "x.conf"));
}

TEST_CASE("a line of very many interpreters is read in one pass") {
  std::string line;
  constexpr int kMany = 200'000;
  for (int i = 0; i < kMany; ++i) {
    line += "sh x" + std::to_string(i) + " ";
  }
  CHECK(sensitive::RunWords{line}.has("x199999"));
  CHECK(sensitive::mentions_in(line, sensitive::TextKind::Script).size() >= kMany);
}

TEST_CASE("python's -m names a module, with or without a blank") {
  for (const std::string_view line : {"python3 -m in.tool .", R"(exec "$P" -min.tool "$@")"}) {
    const auto found = sensitive::mentions_in(line, sensitive::TextKind::Script);
    CHECK(std::any_of(found.begin(), found.end(), [](const sensitive::Mention& one) {
      return one.module && one.path == "in/tool";
    }));
  }
}

TEST_CASE("a script's variables are put in where it tells their values") {
  using Lines = std::vector<std::string>;
  const auto lines = [](std::string_view text, std::string_view line) {
    return sensitive::ShellValues{text}.put_in(line);
  };
  CHECK(lines("D=tl", "sh \"$D/x\"") == Lines{"sh tl/x"});
  CHECK(lines("sh $D\nD='tl'", "sh $D/x") == Lines{"sh tl/x"});
  CHECK(lines("A=tl\nB=\"$A/in\"", "sh ${B}/x") == Lines{"sh tl/in/x"});
  CHECK(lines("", "sh ${D:-tl}/x") == Lines{"sh tl/x"});
  CHECK(lines("D=a\nD=b", "sh $D/$D") == Lines{"sh a/a", "sh a/b", "sh b/a", "sh b/b"});
  CHECK(lines("D = a b", "sh $(D)") == Lines{"sh a", "sh b"});
  CHECK(lines("D=(a b)", "sh ${D[@]}") == Lines{"sh a", "sh b"});
  CHECK(lines("for D in a b; do x; done", "sh $D") == Lines{"sh a", "sh b"});
  CHECK(lines("D=\"$(dirname \"$0\")/..\"", "sh $D/x") == Lines{"sh $(dirname $0)/../x"});
  CHECK(lines("D=tl", "sh $E/x ${D##*/} $(D x)").empty());
  CHECK(lines("D==x\nif [ $D = y ]; then", "sh $D") == Lines{"sh =x"});
}

TEST_CASE("a makefile is read by a line that calls make, not by one that has the word") {
  for (const std::string_view line :
       {"make", "  make lint", "cd x && make", "if x; then make y", "lint: make lint",
        "- run: \"make lint\"", "\t@make x", "\t$(MAKE) -C x", "exec gmake"}) {
    CAPTURE(line);
    CHECK_FALSE(sensitive::files_read_by_default(line).empty());
  }
  for (const std::string_view line :
       {"# make sure", "git make", "makers", "cmake", "x/make.sh", "echo 'to make it'", ""}) {
    CAPTURE(line);
    CHECK(sensitive::files_read_by_default(line).empty());
  }
}

TEST_CASE("a text of very many variables becomes no more than some multiple of it") {
  std::string text;
  constexpr int kMany = 20'000;
  for (int i = 0; i < kMany; ++i) {
    text += "A=$A$A B=(" + std::string(100, '(') + "$B x" + std::to_string(i) + ")\n";
  }
  const sensitive::ShellValues values{text};
  std::size_t size = 0;
  for (const std::string& line : values.put_in("$A$A$A$A $B$B$B$B")) {
    size += line.size();
  }
  CHECK(size <= std::size_t{16} * 1024);
}

TEST_CASE("of a text the first fifty thousand words are read") {
  constexpr int kMany = 45'000;
  std::string text;
  for (int i = 0; i < kMany; ++i) {
    text += "word\n";
  }
  const auto found = sensitive::mentions_in(text + "sh last\n", sensitive::TextKind::Script);
  CHECK(std::any_of(found.begin(), found.end(),
                    [](const sensitive::Mention& one) { return one.path == "last" && one.run; }));
}

TEST_CASE("a PATH has the current directory by a dot, an empty entry or a step") {
  using List = std::vector<std::string>;
  CHECK(sensitive::relative_entries_of_list(".:/bin") == List{"."});
  CHECK(sensitive::relative_entries_of_list("") == List{"."});
  CHECK(sensitive::relative_entries_of_list("/bin:") == List{"."});
  CHECK(sensitive::relative_entries_of_list("/a:bin:./b/:../c:..") == List{"bin", "b", "c", "."});
  CHECK(sensitive::relative_entries_of_list("/a:~/bin:$HOME/x").empty());
  CHECK(sensitive::relative_entries("export PATH=.:$PATH") == List{"."});
  CHECK(sensitive::relative_entries("PATH=\"$PATH:\"; x") == List{"."});
  CHECK(sensitive::relative_entries("PATH=bin:$PATH") == List{"bin"});
  CHECK(sensitive::relative_entries("PATH=\"${PATH:+$PATH:}$HOME/bin\"").empty());
  CHECK(sensitive::relative_entries("PATH=$(echo a:b)").empty());
  CHECK(sensitive::relative_entries("MANPATH=:/x").empty());
  using sensitive::relative_entries;
  CHECK(relative_entries("export PATH=\"my in/bin:$PATH\" a").back() == "my in/bin");
  CHECK(relative_entries("export \"PATH=my in/bin:$PATH\" a").back() == "my in/bin");
  CHECK(relative_entries("PATH=my\\ in/bin:$PATH; a").back() == "my in/bin");
}

TEST_CASE("values of keys are found in JSON without reading the rest") {
  constexpr std::array<std::string_view, 2> kKeys = {"a", "b"};
  CHECK(sensitive::values_of_keys(R"({"x": {"a": {"c": "}\"", "d": [1]}, "y": "a"}, "b": 2})",
                                  kKeys) == " {\"c\": \"}\\\"\", \"d\": [1]}\n 2\n");
  CHECK(sensitive::values_of_keys(R"({"a")", kKeys).empty());
  CHECK(sensitive::values_of_keys(R"({"a": [)", kKeys) == " [\n");
}

TEST_CASE("the directories of agents in a home are those of the list") {
  const auto found = sensitive::directories_of_agents();
  for (const std::string_view name : {".claude", ".codex", ".gemini", ".qwen", ".kiro"}) {
    CHECK_MESSAGE(std::find(found.begin(), found.end(), name) != found.end(), name);
  }
  CHECK(sensitive::is_obeyed_whole(".claude/skills/x"));
  CHECK(sensitive::is_obeyed_whole(".vscode/extensions/x"));
  CHECK_FALSE(sensitive::is_obeyed_whole(".local/share/x"));
}
