// SPDX-License-Identifier: MIT
#include "sensitive/names/run_words.hpp"

#include "sys/files/beneath.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace shadow::sensitive {

namespace {

constexpr std::array<std::string_view, 35> kInterpreters = {
    ".",       "source", "exec",  "sh",     "bash",   "dash",    "zsh",  "ksh",    "mksh",
    "fish",    "csh",    "tcsh",  "nu",     "xonsh",  "elvish",  "node", "nodejs", "bun",
    "ruby",    "perl",   "php",   "lua",    "luajit", "tclsh",   "wish", "expect", "pwsh",
    "Rscript", "julia",  "guile", "elixir", "groovy", "clojure", "bb",   "bats"};

bool is_interpreter(std::string_view word) {
  const std::string_view name = word == "." ? word : sys::split_path(word).name;
  constexpr std::array<std::string_view, 2> kPythons = {"python", "pypy"};
  return std::find(kInterpreters.begin(), kInterpreters.end(), name) != kInterpreters.end() ||
         std::any_of(kPythons.begin(), kPythons.end(), [name](std::string_view one) {
           return name.starts_with(one) &&
                  name.find_first_not_of("0123456789.", one.size()) == std::string_view::npos;
         });
}

}  // namespace

RunWords::RunWords(std::string_view line) {
  constexpr std::string_view kParts = " \t\r;|&()<>{}\"'`$=:,!";
  constexpr std::string_view kOthers = ":=;|&";  // a key ("source: x"), or the command ends
  constexpr std::string_view kClose = ")}\"'";
  bool behind = false;
  std::string_view before;
  bool behind_variable = false;  // "/x.conf" of "$(dirname "$0")/x.conf"
  for (char last = ' '; !line.empty();) {
    const std::size_t end = std::min(line.find_first_of(kParts), line.size());
    const std::string_view word = line.substr(0, end);
    if (is_interpreter(word) || (word == "run" && before == "go")) {
      behind = true;
      any_ = true;
      by_source_ = by_source_ || word == "." || word == "source";
    } else if (behind && !word.empty() && word.front() != '-') {
      add(word);
      behind = false;
    } else if (any_ && word.starts_with('/') && kClose.find(last) != std::string_view::npos &&
               (by_source_ || !behind_variable)) {
      add(word);
      behind_variable = true;
    }
    before = word.empty() ? before : word;
    last = end < line.size() ? line[end] : ' ';
    behind = behind && (end == line.size() || kOthers.find(line[end]) == std::string_view::npos);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
}

// Of "DIR/x.conf", the name of a variable before it, also "x.conf".
void RunWords::add(std::string_view word) {
  words_.insert(word);
  if (const std::size_t slash = word.find('/'); slash != std::string_view::npos) {
    words_.insert(word.substr(slash + 1));
  }
}

}  // namespace shadow::sensitive
