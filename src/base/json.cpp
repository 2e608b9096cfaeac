// SPDX-License-Identifier: MIT
#include "base/json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace shadow {
namespace {

constexpr unsigned char kTailLow = 0x80;
constexpr unsigned char kTailHigh = 0xBF;

// A character, or what Unicode calls the maximal part of one, for which one U+FFFD stands.
struct Piece {
  std::size_t length;
  bool whole;
};

// How many bytes follow the first, and within which bounds the second is (Unicode, table 3-7).
struct Lead {
  std::size_t more = 0;
  unsigned char low = kTailLow;
  unsigned char high = kTailHigh;
};

Lead lead_of(unsigned char first) {
  if (first >= 0xC2 && first <= 0xDF) {
    return {1};
  }
  if (first >= 0xE0 && first <= 0xEF) {
    return {2, static_cast<unsigned char>(first == 0xE0 ? 0xA0 : kTailLow),
            static_cast<unsigned char>(first == 0xED ? 0x9F : kTailHigh)};
  }
  if (first >= 0xF0 && first <= 0xF4) {
    return {3, static_cast<unsigned char>(first == 0xF0 ? 0x90 : kTailLow),
            static_cast<unsigned char>(first == 0xF4 ? 0x8F : kTailHigh)};
  }
  return {};
}

Piece next_piece(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < kTailLow) {
    return {1, true};
  }
  const Lead lead = lead_of(first);
  unsigned char low = lead.low;
  unsigned char high = lead.high;
  for (std::size_t i = 1; i <= lead.more; ++i) {
    if (i >= text.size() || static_cast<unsigned char>(text[i]) < low ||
        static_cast<unsigned char>(text[i]) > high) {
      return {i, false};
    }
    low = kTailLow;
    high = kTailHigh;
  }
  return {lead.more + 1, lead.more > 0};
}

template <class Take>
void for_each_piece(std::string_view text, const Take& take) {
  while (!text.empty()) {
    const Piece piece = next_piece(text);
    take(piece.whole ? text.substr(0, piece.length) : std::string_view{"\xEF\xBF\xBD"});
    text.remove_prefix(piece.length);
  }
}

void append_quoted(std::string& out, std::string_view text) {
  constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  out += '"';
  for_each_piece(text, [&](std::string_view piece) {
    const char first = piece.front();
    const std::size_t at = kEscaped.find(first);
    if (at != std::string_view::npos) {
      out.append(1, '\\').append(1, kLetters[at]);
    } else if (static_cast<unsigned char>(first) < ' ') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(first));
    } else {
      out += piece;
    }
  });
  out += '"';
}

}  // namespace

std::string as_utf8(std::string_view text) {
  std::string out;
  for_each_piece(text, [&](std::string_view piece) { out += piece; });
  return out;
}

Json::Json(const std::vector<std::string>& texts) : value_{Items(texts.begin(), texts.end())} {
}

Json::Json(std::initializer_list<Member> members) : value_{Members(members)} {
}

Json Json::array() {
  Json json;
  json.value_ = Items{};
  return json;
}

Json& Json::operator[](std::string_view key) {
  if (std::holds_alternative<std::nullptr_t>(value_)) {
    value_ = Members{};
  }
  auto& members = std::get<Members>(value_);
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const Member& member) { return member.first == key; });
  return found != members.end() ? found->second
                                : members.emplace_back(std::string{key}, Json{}).second;
}

void Json::push_back(Json item) {
  if (std::holds_alternative<std::nullptr_t>(value_)) {
    value_ = Items{};
  }
  std::get<Items>(value_).push_back(std::move(item));
}

std::string Json::dump() const {
  std::string out;
  append_to(out);
  return out;
}

void Json::append_to(std::string& out) const {
  if (const auto* text = std::get_if<std::string>(&value_)) {
    append_quoted(out, *text);
  } else if (const auto* number = std::get_if<Integer>(&value_)) {
    out += number->negative ? std::to_string(static_cast<std::int64_t>(number->bits))
                            : std::to_string(number->bits);
  } else if (const auto* truth = std::get_if<bool>(&value_)) {
    out += *truth ? "true" : "false";
  } else if (const auto* items = std::get_if<Items>(&value_)) {
    out += '[';
    for (const Json& item : *items) {
      out += &item == items->data() ? "" : ",";
      item.append_to(out);
    }
    out += ']';
  } else if (const auto* members = std::get_if<Members>(&value_)) {
    out += '{';
    for (const Member& member : *members) {
      out += &member == members->data() ? "" : ",";
      append_quoted(out, member.first);
      out += ':';
      member.second.append_to(out);
    }
    out += '}';
  } else {
    out += "null";
  }
}

}  // namespace shadow
