// SPDX-License-Identifier: MIT
#include "git/patterns/byte_class.hpp"

#include <algorithm>
#include <array>

namespace shadow::git {
namespace {

bool is_lower(unsigned c) {
  return c >= 'a' && c <= 'z';
}
bool is_upper(unsigned c) {
  return c >= 'A' && c <= 'Z';
}
bool is_digit(unsigned c) {
  return c >= '0' && c <= '9';
}
bool is_alpha(unsigned c) {
  return is_lower(c) || is_upper(c);
}
bool is_alnum(unsigned c) {
  return is_alpha(c) || is_digit(c);
}
bool is_blank(unsigned c) {
  return c == ' ' || c == '\t';
}
bool is_print(unsigned c) {
  return c >= 0x20U && c < 0x7FU;
}
bool is_control(unsigned c) {
  return c < 0x20U || c == 0x7FU;
}
bool is_graph(unsigned c) {
  return is_print(c) && c != ' ';
}
bool is_punctuation(unsigned c) {
  return is_graph(c) && !is_alnum(c);
}
// git's own isspace: without vertical tab and form feed.
bool is_space(unsigned c) {
  return is_blank(c) || c == '\n' || c == '\r';
}
bool is_hex(unsigned c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

struct NamedClass {
  std::string_view name;
  bool (*holds)(unsigned);
};

constexpr std::array<NamedClass, 12> kClasses{{{"alnum", is_alnum},
                                               {"alpha", is_alpha},
                                               {"blank", is_blank},
                                               {"cntrl", is_control},
                                               {"digit", is_digit},
                                               {"graph", is_graph},
                                               {"lower", is_lower},
                                               {"print", is_print},
                                               {"punct", is_punctuation},
                                               {"space", is_space},
                                               {"upper", is_upper},
                                               {"xdigit", is_hex}}};

}  // namespace

std::optional<std::bitset<256>> byte_class(std::string_view name) {
  const auto* const found = std::find_if(kClasses.begin(), kClasses.end(),
                                         [&](const NamedClass& one) { return one.name == name; });
  if (found == kClasses.end()) {
    return std::nullopt;
  }
  std::bitset<256> members;
  for (unsigned c = 0; c < 0x80U; ++c) {
    members.set(c, found->holds(c));
  }
  return members;
}

}  // namespace shadow::git
