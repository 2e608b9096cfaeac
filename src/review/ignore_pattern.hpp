// SPDX-License-Identifier: MIT
// One line of a .gitignore file, read and matched as git does (dir.c, wildmatch.c of git 2.39).
//
// libgit2 has a matcher of its own, but its running time, and that of git's, is exponential in the
// number of "**/" of a pattern: one line of 60 bytes in a .gitignore that a run wrote stops them
// for hours. It also drops negative rules that it thinks to be without effect. Here the time is
// bounded by a small power of the lengths.

#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::review {

class IgnorePattern {
 public:
  // nullopt for lines that hold no pattern. `line` without its newline.
  static std::optional<IgnorePattern> parse(std::string_view line);

  // `path` is relative to the directory of the .gitignore file.
  [[nodiscard]] bool matches(std::string_view path, bool directory) const;
  [[nodiscard]] bool negative() const { return negative_; }

 private:
  enum class Kind : std::uint8_t {
    Byte,        // this one
    Any,         // any byte but '/'
    Set,         // a byte of sets_[index], but '/'
    Star,        // any number of bytes but '/'
    Everything,  // any number of any bytes
    Directories  // "**/": nothing, or anything that ends in '/'
  };
  struct Token {
    Kind kind;
    unsigned char byte = 0;
    std::uint32_t index = 0;
  };
  using ByteSet = std::bitset<256>;

  void compile(std::string_view glob);
  void add_star(std::string_view glob, std::size_t& at);
  bool add_set(std::string_view glob, std::size_t& at);
  [[nodiscard]] bool matches_one(const Token& token, char c) const;
  [[nodiscard]] bool matches_glob(std::string_view text) const;

  std::string literal_;  // the bytes before the first special one
  std::vector<Token> tokens_;
  std::vector<ByteSet> sets_;
  bool impossible_ = false;  // an unfinished set: matches nothing
  bool negative_ = false;
  bool directories_only_ = false;
  bool base_name_only_ = false;  // no '/' in the pattern: matches at any depth
};

}  // namespace shadow::review
