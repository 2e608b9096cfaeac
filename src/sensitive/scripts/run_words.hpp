// SPDX-License-Identifier: MIT
// Words of a script that an interpreter is told to run, whatever they are called. Pure.

#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_set>

namespace shadow::sensitive {

// True for "." and "source", shells, and what runs a program by its name.
[[nodiscard]] bool is_interpreter(std::string_view word);

// The words of a line that stand right behind ".", "source" or an interpreter and its options:
// "x.conf" of ". x.conf", "bash -eu x.conf", "source "$DIR/x.conf"". Refers to the line.
class RunWords {
 public:
  explicit RunWords(std::string_view line);

  [[nodiscard]] bool has(std::string_view word) const { return words_.contains(word); }

  // True for a directory of which the text does not tell what is run: "x/" of "sh x/$1" and
  // "x/$(basename "$0")".
  [[nodiscard]] bool opens(std::string_view word) const { return open_.contains(word); }

  // True if the line calls an interpreter at all, or reads another script into its own.
  [[nodiscard]] bool any() const { return any_; }
  [[nodiscard]] bool by_source() const { return by_source_; }

 private:
  void add(std::string_view word);

  std::unordered_set<std::string_view> words_;
  std::unordered_set<std::string_view> open_;
  bool any_ = false;
  bool by_source_ = false;
};

// Loops over what a pattern finds right where the script stands, and runs: "for f in *.check; do sh
// "./$f"; done".
class LoopsOverHere {
 public:
  // True if the line, one after another, runs what such a loop has found.
  bool runs(std::string_view line);

 private:
  void open_loops(std::string_view line);

  std::set<std::string, std::less<>> variables_;
};

}  // namespace shadow::sensitive
