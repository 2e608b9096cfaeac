// SPDX-License-Identifier: MIT
// A glob, read and matched as git does (wildmatch.c of git 2.39), in a time that is bounded by a
// small power of the lengths: git's own is exponential in the number of "**/".

#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace shadow::git {

struct GlobOptions {
  bool across_directories = false;  // '*', '?' and sets match a '/' too
  bool wide_stars = true;           // "**" is more than "*" where it is a whole component
  bool fold_case = false;           // of ASCII letters
};

class Glob {
 public:
  Glob() = default;
  explicit Glob(std::string_view glob, GlobOptions options = {});

  // True for a character with a meaning in patterns.
  [[nodiscard]] static bool is_special(char c);

  [[nodiscard]] bool matches(std::string_view text) const;

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

  void add_star(std::string_view glob, std::size_t& at);
  bool add_set(std::string_view glob, std::size_t& at);
  [[nodiscard]] bool matches_one(const Token& token, char c) const;

  GlobOptions options_;
  std::vector<Token> tokens_;
  std::vector<ByteSet> sets_;
  bool impossible_ = false;  // an unfinished set: matches nothing
};

}  // namespace shadow::git
