// SPDX-License-Identifier: MIT
// Names that some filesystem takes for `.git`, or a file of git's. The rules are those of git's
// path.c and utf8.c.
#include "git/objects/tree_names.hpp"

#include "base/ascii.hpp"

#include <git2/sys/path.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace shadow::git {
namespace {

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return ascii_lower(x) == ascii_lower(y); });
}

// HFS+ drops these (three bytes each in UTF-8) when it compares names: U+200C to U+200F, U+202A to
// U+202E, U+206A to U+206F and U+FEFF.
bool is_ignored_by_hfs(std::string_view three) {
  if (three.size() != 3) {
    return false;
  }
  const std::string_view lead = three.substr(0, 2);
  const auto is_last = [&three](std::string_view any) {
    return any.find(three[2]) != std::string_view::npos;
  };
  return (lead == "\xe2\x80" && is_last("\x8c\x8d\x8e\x8f\xaa\xab\xac\xad\xae")) ||
         (lead == "\xe2\x81" && is_last("\xaa\xab\xac\xad\xae\xaf")) || three == "\xef\xbb\xbf";
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

bool is_dot_file(std::string_view name, DotFile which) {
  const git_path_gitfile file =
      which == DotFile::Modules ? GIT_PATH_GITFILE_GITMODULES : GIT_PATH_GITFILE_GITATTRIBUTES;
  while (true) {
    const std::size_t end = std::min(name.find('\\'), name.size());
    if (git_path_is_gitfile(name.data(), end, file, GIT_PATH_FS_GENERIC) > 0) {
      return true;
    }
    if (end == name.size()) {
      return false;
    }
    name.remove_prefix(end + 1);
  }
}

}  // namespace shadow::git
