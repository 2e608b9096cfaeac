// SPDX-License-Identifier: MIT
// Names that some filesystem takes for `.git`. The rules are those of git's path.c and utf8.c.
#include "review/object_check.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace shadow::review {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_letters(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return lower(x) == lower(y); });
}

// HFS+ drops these (three bytes each in UTF-8) when it compares names.
bool is_ignored_by_hfs(std::string_view three) {
  constexpr std::array<std::string_view, 16> kIgnored = {
      "\xe2\x80\x8c", "\xe2\x80\x8d", "\xe2\x80\x8e", "\xe2\x80\x8f",
      "\xe2\x80\xaa", "\xe2\x80\xab", "\xe2\x80\xac", "\xe2\x80\xad",
      "\xe2\x80\xae", "\xe2\x81\xaa", "\xe2\x81\xab", "\xe2\x81\xac",
      "\xe2\x81\xad", "\xe2\x81\xae", "\xe2\x81\xaf", "\xef\xbb\xbf"};
  return std::find(kIgnored.begin(), kIgnored.end(), three) != kIgnored.end();
}

std::string without_ignored(std::string_view name) {
  std::string kept;
  while (!name.empty()) {
    if (is_ignored_by_hfs(name.substr(0, 3))) {
      name.remove_prefix(3);
      continue;
    }
    kept += name.front();
    name.remove_prefix(1);
  }
  return kept;
}

// NTFS drops blanks and dots at the end, and takes what follows a colon for a stream.
std::string_view ntfs_name(std::string_view name) {
  name = name.substr(0, name.find(':'));
  while (!name.empty() && (name.back() == ' ' || name.back() == '.')) {
    name.remove_suffix(1);
  }
  return name;
}

}  // namespace

bool is_dot_git(std::string_view name) {
  const std::string_view on_ntfs = ntfs_name(name);
  return same_letters(without_ignored(name), ".git") || same_letters(on_ntfs, ".git") ||
         same_letters(on_ntfs, "git~1");
}

}  // namespace shadow::review
