// SPDX-License-Identifier: MIT
#include "base/text.hpp"

#include "base/ignorable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace shadow {
namespace {

struct Decoded {
  std::uint32_t point = 0;
  std::size_t length = 0;  // 0: the bytes are not UTF-8
};

// One code point of well-formed UTF-8: shortest form, no surrogates, at most U+10FFFF.
Decoded decode(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80U) {
    return {first, 1};
  }
  std::size_t length = 0;
  std::uint32_t point = 0;
  std::uint32_t least = 0;
  if ((first & 0xE0U) == 0xC0U) {
    length = 2;
    point = first & 0x1FU;
    least = 0x80;
  } else if ((first & 0xF0U) == 0xE0U) {
    length = 3;
    point = first & 0x0FU;
    least = 0x800;
  } else if ((first & 0xF8U) == 0xF0U) {
    length = 4;
    point = first & 0x07U;
    least = 0x10000;
  } else {
    return {};
  }
  if (bytes.size() < length) {
    return {};
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) {
      return {};
    }
    point = (point << 6U) | (byte(i) & 0x3FU);
  }
  const bool surrogate = point >= 0xD800U && point <= 0xDFFFU;
  if (point < least || surrogate || point > 0x10FFFFU) {
    return {};
  }
  return {point, length};
}

constexpr std::uint32_t kIdeographicSpace = 0x3000;

// The blanks of Unicode (general category Zs) but the common one: they look like it, and to the
// shell, a compiler or a parser they are something else.
bool is_other_blank(std::uint32_t c) {
  return c == 0xA0U || c == 0x1680U || (c >= 0x2000U && c <= 0x200AU) || c == 0x202FU ||
         c == 0x205FU || c == kIdeographicSpace;
}

// Code points that a reader does not see, or that reorder or hide what is around them: C0 and C1
// controls, line separators, annotations, what is drawn as nothing, the blanks of Braille, of
// Khitan, of hieroglyphs and of musical notation, and what only modifies the sign before it in
// scripts that no terminal composes.
bool is_invisible(std::uint32_t c) {
  return c < 0x20U || (c >= 0x7FU && c < 0xA0U) || c == 0x2028U || c == 0x2029U || c == 0x2800U ||
         (c >= 0xFFF9U && c <= 0xFFFBU) || (c >= 0x13430U && c <= 0x13442U) || c == 0x16FE4U ||
         c == 0x1107FU || c == 0x1BC9DU || (c >= 0x1DA9BU && c <= 0x1DAAFU) || c == 0x1D159U ||
         is_other_blank(c) || is_default_ignorable(c);
}

// Signs that the ideographic space is written between: CJK, kana, hangul, full-width forms.
bool is_wide(std::uint32_t c) {
  return (c > kIdeographicSpace && c <= 0x9FFFU) || (c >= 0xAC00U && c <= 0xD7A3U) ||
         (c >= 0xF900U && c <= 0xFAFFU) || (c >= 0xFF01U && c <= 0xFF60U) ||
         (c >= 0x20000U && c <= 0x3FFFFU);
}

std::string escape(std::uint32_t c) {
  switch (c) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:
      break;
  }
  if (c < 0xA0U) {
    return fmt::format("\\x{:02x}", c);
  }
  return c < 0x10000U ? fmt::format("\\u{:04x}", c) : fmt::format("\\U{:08x}", c);
}

enum class Wide : std::uint8_t { Escaped, Text };

// Paragraphs of Chinese and Japanese begin with the ideographic space: `wide` says whether it stays
// beside such signs.
std::string made_visible(std::string_view bytes, std::string_view kept, Wide wide) {
  std::string out;
  out.reserve(bytes.size());
  std::uint32_t before = 0;
  while (!bytes.empty()) {
    const Decoded next = decode(bytes);
    if (next.length == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[0]));
      bytes.remove_prefix(1);
      continue;
    }
    const std::string_view behind = bytes.substr(next.length);
    const bool keep = (next.point < 0x80U && kept.find(bytes[0]) != std::string_view::npos) ||
                      (next.point == kIdeographicSpace && wide == Wide::Text &&
                       (is_wide(before) || (!behind.empty() && is_wide(decode(behind).point))));
    if (keep || !is_invisible(next.point)) {
      out += bytes.substr(0, next.length);
    } else {
      out += escape(next.point);
    }
    before = next.point;
    bytes.remove_prefix(next.length);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view bytes) {
  return made_visible(bytes, {}, Wide::Escaped);
}

std::string hex_of(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  return text;
}

std::string printable_text(std::string_view bytes) {
  return made_visible(bytes, "\n\t", Wide::Text);
}

std::string Quoted::operator()(std::string_view bytes) const {
  return "'" + printable(bytes) + "'";
}

std::string git_quoted(std::string_view path) {
  const auto special = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20U || byte >= 0x7FU || c == '"' || c == '\\';
  };
  if (std::none_of(path.begin(), path.end(), special)) {
    return std::string{path};
  }
  constexpr std::string_view kLetters = "abtnvfr";  // 0x07 to 0x0d, as C names them
  std::string out = "\"";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte >= 0x07U && byte <= 0x0DU) {
      out += '\\';
      out += kLetters[byte - 0x07U];
    } else if (special(c)) {
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string shell_quoted(std::string_view word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view{"_@%+=:,./-"}.find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) {
    return std::string{word};
  }
  if (printable(word) != word) {
    std::string out = "$'";
    for (const char c : word) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '\'' || c == '\\') {
        out += '\\';
        out += c;
      } else if (byte < 0x20U || byte >= 0x7FU) {
        out += fmt::format("\\x{:02x}", byte);
      } else {
        out += c;
      }
    }
    return out + '\'';
  }
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + '\'';
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  return begin == std::string_view::npos
             ? std::string_view{}
             : text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(at + 1);
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (&part != parts.data()) {
      out += separator;
    }
    out += part;
  }
  return out;
}

bool is_at_or_below(std::string_view path, std::string_view above) {
  if (above.empty()) {
    return true;
  }
  return path.substr(0, above.size()) == above &&
         (path.size() == above.size() || path[above.size()] == '/');
}

}  // namespace shadow
