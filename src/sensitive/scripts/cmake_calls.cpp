// SPDX-License-Identifier: MIT
#include "sensitive/scripts/cmake_calls.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace shadow::sensitive {

namespace {

constexpr std::string_view kCmakeBlanks = " \t\r\n";
constexpr std::string_view kOfCmakeNames =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

// cmake-language(7), "Escape Sequences": before what is no letter, digit or semicolon a backslash
// says nothing ("CMAKE\_C\_COMPILER", "a/.\./b"), and before the end of a line it joins two.
std::string without_escapes(std::string_view text) {
  constexpr std::string_view kKept =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789;";
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool escape = text[at] == '\\' && at + 1 < text.size() &&
                        kKept.find(text[at + 1]) == std::string_view::npos;
    at += escape ? 1U : 0U;
    if (!escape || text[at] != '\n') {
      plain += text[at];
    }
  }
  return plain;
}

class CmakeReader {
 public:
  explicit CmakeReader(std::string_view text) : text_{text} {}

  std::vector<CmakeCall> read() {
    skip();
    while (at_ < text_.size()) {
      const std::size_t begin = at_;
      CmakeCall call;
      call.name = lower_ascii(take_of(kOfCmakeNames));
      skip();
      if (call.name.empty() || !is_next('(')) {
        break;
      }
      ++at_;
      if (!take_arguments(call.written)) {
        break;
      }
      for (const CmakeArgument& argument : call.written) {
        call.arguments.push_back(lower_ascii(argument.text));
      }
      call.text = text_.substr(begin, at_ - begin);
      calls_.push_back(std::move(call));
      skip();
    }
    return std::move(calls_);
  }

 private:
  [[nodiscard]] bool is_next(char c) const { return at_ < text_.size() && text_[at_] == c; }

  std::string_view take_of(std::string_view chars) {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_not_of(chars, at_), text_.size());
    return text_.substr(begin, at_ - begin);
  }

  // Blanks and comments.
  void skip() {
    if (at_ == 0 && text_.starts_with("\xef\xbb\xbf")) {
      at_ = 3;
    }
    while (true) {
      (void)take_of(kCmakeBlanks);
      if (!is_next('#')) {
        return;
      }
      ++at_;
      if (!take_bracket()) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      }
    }
  }

  // "[==[ ... ]==]"
  std::optional<std::string_view> take_bracket() {
    const std::size_t begin = at_;
    if (!is_next('[')) {
      return std::nullopt;
    }
    ++at_;
    const std::string_view equals = take_of("=");
    if (!is_next('[')) {
      at_ = begin;
      return std::nullopt;
    }
    ++at_;
    const std::string end = "]" + std::string{equals} + "]";
    const std::size_t found = text_.find(end, at_);
    const std::string_view inside = text_.substr(at_, std::min(found, text_.size()) - at_);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
    return inside;
  }

  // Up to the bracket that ends the call.
  bool take_arguments(std::vector<CmakeArgument>& arguments) {
    for (int open = 1; open > 0;) {
      skip();
      if (at_ >= text_.size()) {
        return false;
      }
      if (is_next('(') || is_next(')')) {
        open += text_[at_++] == '(' ? 1 : -1;
      } else if (is_next('"')) {
        ++at_;
        arguments.push_back({without_escapes(take_quoted()), true});
      } else if (const auto inside = take_bracket()) {
        arguments.push_back({std::string{*inside}, true});
      } else {
        take_unquoted(arguments);
      }
    }
    return true;
  }

  // Behind the quote that opens it.
  std::string_view take_quoted() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      at_ += text_[at_] == '\\' ? 2U : 1U;
    }
    at_ = std::min(at_, text_.size());
    const std::string_view inside = text_.substr(begin, at_ - begin);
    at_ = std::min(at_ + 1, text_.size());
    return inside;
  }

  void take_unquoted(std::vector<CmakeArgument>& arguments) {
    std::string piece;
    while (at_ < text_.size() && kCmakeBlanks.find(text_[at_]) == std::string_view::npos &&
           text_[at_] != '(' && text_[at_] != ')' && text_[at_] != '#') {
      if (text_[at_] == '"') {
        ++at_;
        piece += take_quoted();
        continue;
      }
      if (text_[at_] == '\\') {
        piece += text_.substr(at_, 2);
        at_ = std::min(at_ + 2, text_.size());
        continue;
      }
      if (text_[at_] == ';') {
        arguments.push_back({without_escapes(std::exchange(piece, {}))});
      } else {
        piece += text_[at_];
      }
      ++at_;
    }
    arguments.push_back({without_escapes(piece)});
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<CmakeCall> calls_;
};

}  // namespace

std::vector<CmakeCall> cmake_calls_in(std::string_view text) {
  return CmakeReader{text}.read();
}

}  // namespace shadow::sensitive
