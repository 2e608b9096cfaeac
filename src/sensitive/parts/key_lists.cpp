// SPDX-License-Identifier: MIT
#include "sensitive/parts/key_lists.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <cstddef>

namespace shadow::sensitive {

namespace {

constexpr std::string_view kBlanksOfLine = " \t\r";

// True if what stands at `next`, or on the next line, which begins with `following`, makes a key of
// what is before it. In JSON a comment may stand between.
bool ends_key(std::string_view line, std::size_t next, char following, bool quoted) {
  if (next == std::string_view::npos) {
    return following == ':' || (quoted && following == '/');
  }
  return line[next] == ':' || line[next] == '=' || (quoted && line[next] == '/');
}

// True if the line has this key.
bool has_key(std::string_view line, std::string_view key, char following) {
  constexpr std::string_view kBetween = " \t\r\"'";
  for (std::size_t at = line.find(key); at != std::string_view::npos; at = line.find(key, at + 1)) {
    const std::size_t next = line.find_first_not_of(kBetween, at + key.size());
    const bool quoted = at > 0 && (line[at - 1] == '"' || line[at - 1] == '\'');
    if (ends_key(line, next, following, quoted)) {
      return true;
    }
  }
  return false;
}

// True if a key stands at the beginning of the line, in quotes or without.
bool begins_with_key(std::string_view line) {
  constexpr std::string_view kBlanks = " \t{,";
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const bool quoted = line.starts_with('"') || line.starts_with('\'');
  std::size_t end =
      std::min(line.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789$_-", quoted ? 1 : 0),
               line.size());
  if (quoted && (end == line.size() || line[end++] != line[0])) {
    return false;
  }
  end = std::min(line.find_first_not_of(" \t", end), line.size());
  return end > 0 && end < line.size() && (line[end] == ':' || line[end] == '=');
}

// An alias or a merge in the place of a key: YAML 1.2, 7.1; the YAML type "merge".
bool has_alias_of_key(std::string_view line, char following) {
  if (has_key(line, "<<", following)) {
    return true;
  }
  for (std::size_t at = line.find('*'); at != std::string_view::npos; at = line.find('*', at + 1)) {
    const std::size_t end = line.find_first_of(" \t\r,[]{}", at + 1);
    const std::size_t next =
        end == std::string_view::npos ? end : line.find_first_not_of(kBlanksOfLine, end);
    // Not what a glob is ("*.c", "/**/"), which stands in quotes or behind something.
    const bool first =
        at == 0 || std::string_view{" \t-,{[?"}.find(line[at - 1]) != std::string_view::npos;
    if (first && end != at + 1 &&
        (next == std::string_view::npos ? following == ':' : line[next] == ':')) {
      return true;
    }
  }
  return false;
}

// "*a" as a value: what it says stands elsewhere in the file.
bool has_alias(std::string_view line) {
  for (std::size_t at = line.find('*'); at != std::string_view::npos; at = line.find('*', at + 1)) {
    const bool first =
        at > 0 && std::string_view{" \t,["}.find(line[at - 1]) != std::string_view::npos;
    if (first && at + 1 < line.size() &&
        std::string_view{" \t.*/,\"'"}.find(line[at + 1]) == std::string_view::npos) {
      return true;
    }
  }
  return false;
}

// "\x69mport": in double quotes, and a key.
bool has_escaped_key(std::string_view line, char following) {
  for (std::size_t at = line.find('"'); at != std::string_view::npos; at = line.find('"', at + 1)) {
    bool escaped = false;
    std::size_t end = at + 1;
    while (end < line.size() && line[end] != '"') {
      escaped = escaped || line[end] == '\\';
      end += line[end] == '\\' ? 2U : 1U;
    }
    const std::size_t next = line.find_first_not_of(kBlanksOfLine, std::min(end + 1, line.size()));
    if (escaped && (end >= line.size() || ends_key(line, next, following, true))) {
      return true;
    }
    at = std::min(end, line.size());
  }
  return false;
}

// Behind what may stand before a key: "- ", "--- ", a tag, an anchor.
std::string_view without_properties(std::string_view line) {
  constexpr std::string_view kBefore = " \t-,[{";
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(kBefore), line.size()));
    if (!line.starts_with('!') && !line.starts_with('&')) {
      return line;
    }
    line.remove_prefix(std::min(line.find_first_of(" \t"), line.size()));
  }
}

bool may_be_any_key(std::string_view line, char following, Backslashes backslashes) {
  if (has_alias_of_key(line, following)) {
    return true;
  }
  if (backslashes == Backslashes::OfKeys) {
    return line.find_first_of("\\?") != std::string_view::npos;
  }
  const bool braces = line.find('{') != std::string_view::npos;
  return without_properties(line).starts_with('?') ||
         (braces && line.find_first_of("\\?") != std::string_view::npos) ||
         has_escaped_key(line, following);
}

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

}  // namespace

std::string lists_of_keys(std::string_view text, std::span<const std::string_view> keys,
                          Backslashes backslashes) {
  std::string parts;
  bool inside = false;
  std::size_t indent = 0;  // of the key
  std::size_t next = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    const std::string_view whole = text.substr(begin, end - begin);
    begin = end + 1;
    if (next <= end) {
      next = text.find_first_not_of(" \t\r\n", end);
    }
    const char following = next == std::string_view::npos ? '\0' : text[next];
    const std::string line = lower_ascii(whole);
    const bool named = may_be_any_key(line, following, backslashes) ||
                       std::any_of(keys.begin(), keys.end(), [&](std::string_view key) {
                         return has_key(line, key, following);
                       });
    // A key further in is one of the value.
    indent = named && (!inside || indent_of(line) < indent) ? indent_of(line) : indent;
    inside = named || (inside && (indent_of(line) > indent || !begins_with_key(line)));
    if (inside && has_alias(line)) {
      return std::string{text};
    }
    parts += inside ? std::string{whole} + "\n" : "";
  }
  return parts;
}

}  // namespace shadow::sensitive
