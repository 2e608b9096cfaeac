// SPDX-License-Identifier: MIT
#include "sensitive/scripts/quoted_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace shadow::sensitive {

namespace {

// The stand-in of a sign is the control character of its place; no text has one for anything else.
constexpr std::string_view kPartingSigns = " \t;|&()<>{}\"'`$=:,!";
constexpr char kDropped = '\x1f';
constexpr std::string_view kInWords = "=:,!";  // of which a shell makes nothing within a word
constexpr std::string_view kAround = " \t\r\n;|&()<>{}[]\"'`=:,!";
constexpr std::string_view kOfVariable =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

bool stands_in(std::string_view some, char c) {
  return some.find(c) != std::string_view::npos;
}

// Tab and newline stay what they are in a text: the places begin behind.
char stand_in_of(std::size_t place) {
  return static_cast<char>(place < 8 ? place + 1 : place + 6);
}

// Which quotes hold a word; those around them hold code.
enum class Quoted : std::uint8_t { Outermost, WithinDouble, WithinSingle };
enum class Joined : std::uint8_t { Blanks, All };

class QuotedText {
 public:
  QuotedText(std::string_view text, Quoted quoted, Joined joined)
      : text_{text}, quoted_{quoted}, joined_{joined} {
    read_.reserve(text.size());
  }

  std::string read() {
    begin_line();
    while (at_ < text_.size()) {
      take(text_[at_]);
    }
    if (drops_) {
      std::erase(read_, kDropped);
    }
    return std::move(read_);
  }

  [[nodiscard]] bool has_code_in_double() const { return code_in_double_; }
  [[nodiscard]] bool has_code_in_single() const { return code_in_single_; }

 private:
  void begin_line() {
    open_.clear();
    end_ = at_;
    do {  // a line may go on behind a backslash
      end_ = std::min(text_.find('\n', end_ == at_ ? at_ : end_ + 1), text_.size());
    } while (end_ < text_.size() && end_ > at_ && text_[end_ - 1] == '\\');
    const std::string_view line = text_.substr(at_, end_ - at_);
    const auto last = [&](char c) {
      const std::size_t found = line.rfind(c);
      return found == std::string_view::npos ? 0 : at_ + found;
    };
    last_double_ = last('"');
    last_single_ = last('\'');
  }

  [[nodiscard]] char top() const { return open_.empty() ? '\0' : open_.back().sign; }
  [[nodiscard]] char next() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\n'; }

  void take(char c) {
    if (c == '\n' && at_ >= end_) {
      read_ += c;
      ++at_;
      begin_line();
    } else if (c == '\\') {
      take_escaped();
    } else if (c == '"' || c == '\'') {
      take_quote(c, 1);
    } else if (top() == '\'') {
      add_quoted(c);
      ++at_;
    } else if (c == '$' && (next() == '(' || next() == '{')) {
      read_ += c;
      read_ += next();
      open_.push_back({next(), 0});
      at_ += 2;
    } else {
      take_other(c);
    }
  }

  void take_other(char c) {
    const bool in_double = top() == '"';
    if (c == '`') {
      top() == '`' ? open_.pop_back() : open_.push_back({c, 0});
    } else if (c == '(' && top() == '(') {
      open_.push_back({c, 0});
    } else if ((c == ')' && top() == '(') || (c == '}' && top() == '{')) {
      open_.pop_back();
    }
    if (in_double) {
      add_quoted(c);
    } else if (stands_in(kInWords, c) && is_in_word(c)) {
      add_stand_in(c);
    } else {
      read_ += c;
    }
    ++at_;
  }

  // Not "NAME=x", nor "a: b", nor "a":"b".
  [[nodiscard]] bool is_in_word(char c) const {
    if (joined_ == Joined::Blanks || read_.empty() || stands_in(kAround, read_.back()) ||
        stands_in(kAround, next())) {
      return false;
    }
    const std::size_t begin = read_.find_last_not_of(kOfVariable);
    return c != '=' || (begin != std::string::npos && !stands_in(kAround, read_[begin]));
  }

  void take_quote(char c, std::size_t length) {
    const bool around = quoted_ == (c == '"' ? Quoted::WithinDouble : Quoted::WithinSingle);
    if (around && length == 1) {
      open_.clear();
      read_ += c;
      ++at_;
      return;
    }
    code_in_double_ = code_in_double_ || top() == '"';
    code_in_single_ = code_in_single_ || top() == '\'';
    const bool other = top() == '\'' || top() == '"';
    const std::size_t last = c == '"' ? last_double_ : last_single_;
    if (top() == c) {
      close(c, length);
    } else if (other || last <= at_) {
      other ? add_stand_in(c) : void(read_ += c);
    } else {
      const bool glued = !read_.empty() && !stands_in(kAround, read_.back()) && read_.back() != '$';
      open_.push_back({c, read_.size(), glued});
      read_ += c;
    }
    at_ += length;
  }

  // Quotes in the middle of a word are no part of it.
  void close(char c, std::size_t length) {
    const Open open = open_.back();
    open_.pop_back();
    const char behind = at_ + length < text_.size() ? text_[at_ + length] : '\n';
    if (open.glued || (!stands_in(kAround, behind) && behind != '\\')) {
      read_[open.at] = kDropped;
      drops_ = true;
    } else {
      read_ += c;
    }
  }

  void take_escaped() {
    const char c = next();
    if (c == '\n') {
      at_ += 2;
    } else if (c == '"' && quoted_ == Quoted::WithinDouble) {
      take_quote(c, 2);
    } else if (top() == '\'') {
      code_in_single_ = code_in_single_ || c == ' ';
      read_ += '\\';
      ++at_;
    } else if (c == 'u' && take_unicode()) {
      return;
    } else if (c == 'n' && quoted_ == Quoted::WithinDouble) {
      read_ += '\n';
      at_ += 2;
    } else {
      const bool in_double = top() == '"';
      code_in_double_ = code_in_double_ || (in_double && stands_in(" n\"", c));
      if (stands_in(kPartingSigns, c)) {
        add_stand_in(c);
      } else {
        read_ += in_double && stands_in("nrt", c) ? "\\" : "";
        read_ += c;
      }
      at_ += 2;
    }
  }

  // "\u006c" of JSON and TOML; of the first letters only, as no sign is further on.
  bool take_unicode() {
    constexpr std::string_view kDigits = "0123456789abcdef";
    constexpr std::size_t kLength = 6;
    if (text_.size() - at_ < kLength) {
      return false;
    }
    unsigned code = 0;
    for (const char c : text_.substr(at_ + 2, kLength - 2)) {
      const std::size_t digit = kDigits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c);
      if (digit == std::string_view::npos) {
        return false;
      }
      code = code * 16 + static_cast<unsigned>(digit);
    }
    constexpr unsigned kFirst = 0x20;
    constexpr unsigned kEnd = 0x7f;
    if (code < kFirst || code >= kEnd) {
      return false;
    }
    add_quoted(static_cast<char>(code));
    at_ += kLength;
    return true;
  }

  // Braces and "$" are of variables there, too.
  void add_quoted(char c) {
    constexpr std::string_view kKept = "{}$`";
    if (stands_in(kPartingSigns, c) && !stands_in(kKept, c) &&
        (joined_ == Joined::All || !stands_in(kInWords, c))) {
      add_stand_in(c);
    } else {
      read_ += c;
    }
  }

  void add_stand_in(char c) { read_ += stand_in_of(kPartingSigns.find(c)); }

  struct Open {
    char sign;
    std::size_t at;  // of a quote, in what is read
    bool glued = false;
  };

  std::string_view text_;
  Quoted quoted_;
  Joined joined_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;  // of the line
  std::size_t last_double_ = 0;
  std::size_t last_single_ = 0;
  std::vector<Open> open_;
  std::string read_;
  bool drops_ = false;
  bool code_in_double_ = false;
  bool code_in_single_ = false;
};

}  // namespace

std::vector<std::string> quoted_readings(std::string_view text) {
  std::vector<std::string> found;
  const auto add = [&](std::string one) {
    if (one != text && std::find(found.begin(), found.end(), one) == found.end()) {
      found.push_back(std::move(one));
    }
  };
  QuotedText outermost{text, Quoted::Outermost, Joined::Blanks};
  add(outermost.read());
  add(QuotedText{text, Quoted::Outermost, Joined::All}.read());
  if (outermost.has_code_in_double()) {
    add(QuotedText{text, Quoted::WithinDouble, Joined::Blanks}.read());
  }
  if (outermost.has_code_in_single()) {
    add(QuotedText{text, Quoted::WithinSingle, Joined::Blanks}.read());
  }
  return found;
}

bool has_stand_in(std::string_view word) {
  return std::any_of(word.begin(), word.end(),
                     [](char c) { return c > 0 && c < ' ' && !stands_in(" \t\r\n", c); });
}

std::string without_stand_ins(std::string word) {
  for (char& c : word) {
    for (std::size_t place = 0; c > 0 && c < ' ' && place < kPartingSigns.size(); ++place) {
      if (c == stand_in_of(place)) {
        c = kPartingSigns[place];
        break;
      }
    }
  }
  return word;
}

std::string as_one_word(std::string_view word) {
  std::string one{word};
  constexpr std::string_view kParting = " \t;|&()<>\"'`";
  for (char& c : one) {
    c = stands_in(kParting, c) ? stand_in_of(kPartingSigns.find(c)) : c;
  }
  return one;
}

}  // namespace shadow::sensitive
