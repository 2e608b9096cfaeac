// SPDX-License-Identifier: MIT
#include "git/patterns/glob.hpp"

#include "base/ascii.hpp"
#include "git/patterns/byte_class.hpp"

#include <algorithm>

namespace shadow::git {

namespace {

bool holds(const std::bitset<256>& set, char c, bool fold_case) {
  const auto has = [&set](char one) { return set.test(static_cast<unsigned char>(one)); };
  return has(c) || (fold_case && (has(ascii_lower(c)) || has(ascii_upper(c))));
}

}  // namespace

bool Glob::is_special(char c) {
  return c == '*' || c == '?' || c == '[' || c == '\\';
}

Glob::Glob(std::string_view glob, GlobOptions options) : options_{options} {
  for (std::size_t at = 0; at < glob.size() && !impossible_;) {
    const char c = glob[at];
    if (c == '*') {
      add_star(glob, at);
    } else if (c == '?') {
      tokens_.push_back({Kind::Any});
      ++at;
    } else if (c == '[') {
      impossible_ = !add_set(glob, at);
    } else {
      at += c == '\\' ? 1U : 0U;
      impossible_ = at == glob.size();  // a backslash at the end
      if (!impossible_) {
        tokens_.push_back({Kind::Byte, static_cast<unsigned char>(glob[at])});
        ++at;
      }
    }
  }
}

// "**" is more than "*" only where it is a whole component.
void Glob::add_star(std::string_view glob, std::size_t& at) {
  const std::size_t begin = at;
  at = std::min(glob.find_first_not_of('*', at), glob.size());
  const std::string_view rest = glob.substr(at);
  const bool whole = (begin == 0 || glob[begin - 1] == '/') &&
                     (rest.empty() || rest[0] == '/' || rest.substr(0, 2) == "\\/");
  const bool wide = at - begin >= 2 && whole && options_.wide_stars;
  if (!options_.across_directories && !wide) {
    tokens_.push_back({Kind::Star});
  } else if (!options_.across_directories && !rest.empty() && rest[0] == '/') {
    tokens_.push_back({Kind::Directories});
    ++at;
  } else {
    tokens_.push_back({Kind::Everything});
  }
}

// A set as wildmatch.c reads it; false when it has no end or names an unknown class.
bool Glob::add_set(std::string_view glob, std::size_t& at) {
  const auto byte_at = [&](std::size_t i) {
    return i < glob.size() ? static_cast<unsigned char>(glob[i]) : static_cast<unsigned char>(0);
  };
  ByteSet set;
  std::size_t i = at + 1;
  const bool negated = byte_at(i) == '!' || byte_at(i) == '^';
  i += negated ? 1U : 0U;
  unsigned char previous = 0;
  bool first = true;
  for (; first || byte_at(i) != ']'; ++i, first = false) {
    unsigned char byte = byte_at(i);
    if (byte == 0) {
      return false;
    }
    if (byte == '-' && previous != 0 && byte_at(i + 1) != 0 && byte_at(i + 1) != ']') {
      byte = byte_at(++i);
      if (byte == '\\' && (byte = byte_at(++i)) == 0) {
        return false;
      }
      for (unsigned one = previous; one <= byte; ++one) {
        set.set(one);
      }
      previous = 0;
      continue;
    }
    if (byte == '[' && byte_at(i + 1) == ':') {
      const std::size_t name = i + 2;
      const std::size_t end = glob.find(']', name);
      if (end == std::string_view::npos) {
        return false;
      }
      if (end > name && glob[end - 1] == ':') {
        const auto members = byte_class(glob.substr(name, end - 1 - name));
        if (!members) {
          return false;
        }
        set |= *members;
        previous = 0;
        i = end;
        continue;
      }
    }
    if (byte == '\\' && (byte = byte_at(++i)) == 0) {
      return false;
    }
    set.set(byte);
    previous = byte;
  }
  sets_.push_back(negated ? ~set : set);
  tokens_.push_back({Kind::Set, 0, static_cast<std::uint32_t>(sets_.size() - 1)});
  at = i + 1;
  return true;
}

bool Glob::matches_one(const Token& token, char c) const {
  const bool may_be = c != '/' || options_.across_directories;
  switch (token.kind) {
    case Kind::Byte:
      return token.byte == static_cast<unsigned char>(c) ||
             (options_.fold_case && ascii_lower(static_cast<char>(token.byte)) == ascii_lower(c));
    case Kind::Any:
      return may_be;
    case Kind::Set:
      return may_be && holds(sets_[token.index], c, options_.fold_case);
    case Kind::Star:
    case Kind::Everything:
    case Kind::Directories:
      break;
  }
  return false;
}

// Greedy, with one place to go back to for the last Star and one for the last of the others: what
// an earlier star could still try, a later one of its kind tries as well, because a Star cannot
// leave its component and the others begin where one begins.
bool Glob::matches(std::string_view text) const {
  if (impossible_) {
    return false;
  }
  struct Retry {
    std::size_t token = std::string_view::npos;  // the star
    std::size_t at = 0;                          // where its match ends
  };
  Retry star;
  Retry wide;
  std::size_t token = 0;
  std::size_t at = 0;
  for (;;) {
    if (token == tokens_.size() && at == text.size()) {
      return true;
    }
    if (token < tokens_.size()) {
      const Token& next = tokens_[token];
      if (next.kind == Kind::Star) {
        star = {token++, at};
        continue;
      }
      if (next.kind == Kind::Everything || next.kind == Kind::Directories) {
        wide = {token++, at};
        star = {};
        continue;
      }
      if (at < text.size() && matches_one(next, text[at])) {
        ++token;
        ++at;
        continue;
      }
    }
    if (star.token != std::string_view::npos && star.at < text.size() && text[star.at] != '/') {
      at = ++star.at;
      token = star.token + 1;
      continue;
    }
    if (wide.token == std::string_view::npos || wide.at >= text.size()) {
      return false;
    }
    if (tokens_[wide.token].kind == Kind::Directories) {
      const std::size_t slash = text.find('/', wide.at);
      if (slash == std::string_view::npos) {
        return false;
      }
      wide.at = slash + 1;
    } else {
      ++wide.at;
    }
    at = wide.at;
    token = wide.token + 1;
    star = {};
  }
}

}  // namespace shadow::git
