// SPDX-License-Identifier: MIT
#include "sensitive/scripts/run_words.hpp"

#include "base/ascii.hpp"
#include "base/words.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace shadow::sensitive {

namespace {

constexpr std::array<std::string_view, 42> kInterpreters = {
    ".",       "source",    "exec",  "sh",     "bash",     "dash",      "zsh",  "ksh",    "mksh",
    "fish",    "csh",       "tcsh",  "nu",     "xonsh",    "elvish",    "node", "nodejs", "bun",
    "ruby",    "perl",      "php",   "lua",    "luajit",   "tclsh",     "wish", "expect", "pwsh",
    "Rscript", "julia",     "guile", "elixir", "groovy",   "clojure",   "bb",   "bats",   "tsx",
    "ts-node", "vite-node", "esno",  "jiti",   "swc-node", "babel-node"};

// "go run x", "uv run x".
constexpr std::array<std::string_view, 9> kRunnersOfFiles = {
    "go", "dotnet", "uv", "deno", "poetry", "pdm", "hatch", "rye", "pipenv"};

bool begins_variable(std::string_view text) {
  text.remove_prefix(text.starts_with('"') ? 1 : 0);
  return text.starts_with('$') || text.starts_with('`');
}

constexpr std::string_view kBlanksOfLoop = " \t\r";
constexpr std::string_view kOfLoopVariable =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

// The last word before, without quotes and "./" that are part of the next one.
std::string_view word_before(std::string_view& text) {
  while (text.ends_with('"') || text.ends_with("./")) {
    text.remove_suffix(text.ends_with('"') ? 1 : 2);
  }
  const std::string_view whole = text;
  text = text.substr(0, text.find_last_not_of(kBlanksOfLoop) + 1);
  if (text.size() == whole.size() && !text.empty() &&
      std::string_view{";|&({"}.find(text.back()) == std::string_view::npos) {
    return "=";  // the variable is a part of a word
  }
  const std::string_view word = text.substr(text.find_last_of(" \t\r;|&({") + 1);
  text.remove_suffix(word.size());
  return word;
}

// True if a variable that stands behind the text is a command, or what an interpreter runs.
bool runs_next(std::string_view text) {
  constexpr std::array<std::string_view, 5> kNoRuns = {"-n", "-m", "-c", "-e", "--check"};
  constexpr std::array<std::string_view, 3> kStarts = {"then", "do", "else"};
  std::string_view word = word_before(text);
  if (word.empty() || is_one_of(word, kStarts)) {
    return true;
  }
  while (word.starts_with('-')) {
    if (is_one_of(word, kNoRuns)) {
      return false;
    }
    word = word_before(text);
  }
  return is_interpreter(word);
}

}  // namespace

bool is_interpreter(std::string_view word) {
  const std::string_view name = word == "." ? word : sys::split_path(word).name;
  constexpr std::array<std::string_view, 2> kPythons = {"python", "pypy"};
  return is_one_of(name, kInterpreters) ||
         std::any_of(kPythons.begin(), kPythons.end(), [name](std::string_view one) {
           return name.starts_with(one) &&
                  name.find_first_not_of("0123456789.", one.size()) == std::string_view::npos;
         });
}

RunWords::RunWords(std::string_view line) {
  constexpr std::string_view kParts = " \t\r;|&()<>{}\"'`$=:,!";
  constexpr std::string_view kOthers = ":=;|&";  // a key ("source: x"), or the command ends
  constexpr std::string_view kClose = ")}\"'";
  constexpr std::string_view kEnds = ";|&({";
  constexpr std::array<std::string_view, 3> kStarts = {"then", "do", "else"};
  bool behind = false;
  bool first = true;  // the next word is a command
  std::string_view before;
  bool behind_variable = false;  // "/x.conf" of "$(dirname "$0")/x.conf"
  for (char last = ' '; !line.empty();) {
    const std::size_t end = std::min(line.find_first_of(kParts), line.size());
    const std::string_view word = line.substr(0, end);
    if (is_interpreter(word) || (word == "run" && is_one_of(before, kRunnersOfFiles))) {
      behind = true;
      any_ = true;
      by_source_ = by_source_ || word == "." || word == "source";
    } else if ((behind || first) && word.ends_with('/') && begins_variable(line.substr(end))) {
      open_.insert(word);
      behind = false;
    } else if (behind && !word.empty() && word.front() != '-') {
      add(word);
      behind = false;
    } else if (any_ && word.starts_with('/') && kClose.find(last) != std::string_view::npos &&
               (by_source_ || !behind_variable)) {
      add(word);
      behind_variable = true;
    }
    first = (first && word.empty()) || is_one_of(word, kStarts) ||
            (end < line.size() && kEnds.find(line[end]) != std::string_view::npos);
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

void LoopsOverHere::open_loops(std::string_view line) {
  constexpr std::string_view kFor = "for ";
  constexpr std::string_view kIn = " in ";
  for (std::size_t at = line.find(kFor); at != std::string_view::npos;
       at = line.find(kFor, at + 1)) {
    const std::size_t begin = at + kFor.size();
    const std::size_t end = std::min(line.find_first_not_of(kOfLoopVariable, begin), line.size());
    const std::string_view rest = line.substr(end);
    if ((at > 0 && is_letter_or_digit(line[at - 1])) || end == begin || !rest.starts_with(kIn)) {
      continue;
    }
    std::string_view list = rest.substr(kIn.size());
    list = list.substr(0, list.find(';'));
    while (!list.empty()) {
      list.remove_prefix(std::min(list.find_first_not_of(kBlanksOfLoop), list.size()));
      std::string_view word = list.substr(0, list.find_first_of(kBlanksOfLoop));
      list.remove_prefix(word.size());
      word.remove_prefix(word.starts_with("./") ? 2 : 0);
      if (word.find('*') != std::string_view::npos && word.find('/') == std::string_view::npos) {
        variables_.emplace(line.substr(begin, end - begin));
      }
    }
  }
}

bool LoopsOverHere::runs(std::string_view line) {
  open_loops(line);
  for (std::size_t at = variables_.empty() ? std::string_view::npos : line.find('$');
       at != std::string_view::npos; at = line.find('$', at + 1)) {
    const std::size_t begin = at + (line.substr(at + 1).starts_with('{') ? 2U : 1U);
    const std::size_t end = std::min(line.find_first_not_of(kOfLoopVariable, begin), line.size());
    if (begin < line.size() && variables_.contains(line.substr(begin, end - begin)) &&
        runs_next(line.substr(0, at))) {
      return true;
    }
  }
  return false;
}

}  // namespace shadow::sensitive
