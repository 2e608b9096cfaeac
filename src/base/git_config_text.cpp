// SPDX-License-Identifier: MIT
#include "base/git_config_text.hpp"

#include "base/ascii.hpp"

#include <cstddef>
#include <utility>

namespace shadow {

namespace {

constexpr int kEnd = -1;

bool is_blank(int c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_letter(int c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_key_char(int c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '-';
}

char small(int c) {
  return ascii_lower(static_cast<char>(c));
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_{text} {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    at_ = text_.starts_with(kMark) ? kMark.size() : 0;
  }

  GitConfigText parse() {
    GitConfigText result;
    while (result.whole && !at_end()) {
      const int c = take();
      if (is_blank(c)) {
        continue;
      }
      if (c == '#' || c == ';') {
        skip_line();
      } else if (c == '[') {
        result.whole = take_section();
      } else {
        result.whole = is_letter(c) && take_entry(c, result.entries);
      }
    }
    return result;
  }

 private:
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }

  // A line end of either kind is '\n', and so is the end of the text.
  int take() {
    if (at_end()) {
      ended_ = true;
      return '\n';
    }
    const int c = static_cast<unsigned char>(text_[at_++]);
    if (c == '\r' && !at_end() && text_[at_] == '\n') {
      ++at_;
      return '\n';
    }
    return c;
  }

  void skip_line() {
    while (!at_end() && take() != '\n') {
    }
  }

  // Behind '['.
  bool take_section() {
    name_.clear();
    for (int c = take(); !ended_; c = take()) {
      if (c == ']') {
        return true;
      }
      if (is_blank(c)) {
        return take_subsection(c);
      }
      if (!is_key_char(c) && c != '.') {
        return false;
      }
      name_ += small(c);
    }
    return false;
  }

  bool take_subsection(int c) {
    for (; is_blank(c); c = take()) {
      if (c == '\n') {
        return false;
      }
    }
    if (c != '"') {
      return false;
    }
    name_ += '.';
    for (c = take(); c != '"'; c = take()) {
      if (c == '\\') {
        c = take();
      }
      if (c == '\n') {
        return false;
      }
      name_ += static_cast<char>(c);
    }
    return take() == ']' && !ended_;
  }

  bool take_entry(int c, std::vector<GitConfigEntry>& entries) {
    std::string key(1, small(c));
    for (c = take(); !ended_ && is_key_char(c); c = take()) {
      key += small(c);
    }
    while (c == ' ' || c == '\t') {
      c = take();
    }
    std::optional<std::string> value;
    if (c != '\n') {
      value = c == '=' ? take_value() : std::nullopt;
      if (!value) {
        return false;
      }
    }
    // git puts the three together with dots and parts them again at the first and the last one.
    const std::string name = name_ + '.' + key;
    const std::size_t first = name.find('.');
    const std::size_t last = name.rfind('.');
    GitConfigEntry entry;
    entry.section = name.substr(0, first);
    if (first != last) {
      entry.subsection = name.substr(first + 1, last - first - 1);
    }
    entry.key = name.substr(last + 1);
    entry.value = std::move(value);
    entries.push_back(std::move(entry));
    return true;
  }

  std::optional<std::string> take_value() {
    std::string value;
    std::string blanks;  // written once something follows
    bool in_quotes = false;
    while (true) {
      int c = take();
      if (c == '\n') {
        return in_quotes ? std::nullopt : std::optional{value};
      }
      if (is_blank(c) && !in_quotes) {
        blanks += value.empty() ? "" : std::string(1, static_cast<char>(c));
        continue;
      }
      if (!in_quotes && (c == ';' || c == '#')) {
        skip_line();
        return value;
      }
      value += blanks;
      blanks.clear();
      if (c == '"') {
        in_quotes = !in_quotes;
        continue;
      }
      if (c == '\\') {
        c = escaped(take());
        if (c == kEnd) {
          return std::nullopt;
        }
        if (c == '\n' && continued_) {
          continue;
        }
      }
      value += static_cast<char>(c);
    }
  }

  // The character that a backslash and `c` stand for; kEnd if git knows no such escape.
  int escaped(int c) {
    continued_ = c == '\n';
    switch (c) {
      case '\n':
      case '\\':
      case '"':
        return c;
      case 't':
        return '\t';
      case 'b':
        return '\b';
      case 'n':
        return '\n';
      default:
        return kEnd;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string name_;  // of the section, with its subsection
  bool ended_ = false;
  bool continued_ = false;
};

}  // namespace

GitConfigText parse_git_config_text(std::string_view text) {
  return Parser{text}.parse();
}

}  // namespace shadow
