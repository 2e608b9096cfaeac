// SPDX-License-Identifier: MIT
// One line of a .gitignore file, read and matched as git does (dir.c, wildmatch.c of git 2.39).
//
// libgit2 has a matcher of its own, but its running time, and that of git's, is exponential in the
// number of "**/" of a pattern: one line of 60 bytes in a .gitignore that a run wrote stops them
// for hours. It also drops negative rules that it thinks to be without effect. Here the time is
// bounded by a small power of the lengths.

#pragma once

#include "git/patterns/glob.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace shadow::git {

class IgnorePattern {
 public:
  // nullopt for lines that hold no pattern. `line` without its newline.
  static std::optional<IgnorePattern> parse(std::string_view line);

  // `path` is relative to the directory of the .gitignore file.
  [[nodiscard]] bool matches(std::string_view path, bool directory) const;
  [[nodiscard]] bool negative() const { return negative_; }

 private:
  std::string literal_;  // the bytes before the first special one
  Glob rest_;
  bool all_literal_ = false;
  bool negative_ = false;
  bool directories_only_ = false;
  bool base_name_only_ = false;  // no '/' in the pattern: matches at any depth
};

}  // namespace shadow::git
