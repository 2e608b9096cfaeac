// SPDX-License-Identifier: MIT
#include "session/project/git_dir.hpp"

#include "base/text.hpp"
#include "git/objects/tree_names.hpp"
#include "sys/files/file.hpp"
#include "sys/files/real_path.hpp"

#include <algorithm>

#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::session {

namespace {

std::string without_line_end(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) {
    text.pop_back();
  }
  return text;
}

std::string below(const std::string& directory, const std::string& path) {
  return !path.empty() && path.front() == '/' ? path : directory + "/" + path;
}

// The first byte rules out most names.
bool may_be_dot_git(std::string_view name) {
  constexpr std::size_t kShortest = 4;
  return name.size() >= kShortest && (name.front() == '.' || name.front() == 'g' ||
                                      name.front() == 'G' || (name.front() & 0x80) != 0);
}

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

constexpr std::uint64_t kMostOfAName = 1U << 16U;

// A `.git` file, gitrepository-layout(5); `st` is its.
std::optional<RealGitDir> named_by_file(const std::string& root, const std::string& path,
                                        const struct stat& st) {
  constexpr std::string_view kPrefix = "gitdir: ";
  const auto text =
      S_ISREG(st.st_mode) ? sys::read_file_at(AT_FDCWD, path, kMostOfAName) : std::nullopt;
  if (!text || !starts_with(*text, kPrefix)) {
    return std::nullopt;
  }
  return with_common_dir(below(root, without_line_end(text->substr(kPrefix.size()))));
}

}  // namespace

std::optional<std::string> git_dir_of(std::string_view path) {
  std::size_t start = 0;
  while (start <= path.size()) {
    const std::size_t slash = std::min(path.find('/', start), path.size());
    const std::string_view name = path.substr(start, slash - start);
    if (may_be_dot_git(name) && git::is_dot_git(name)) {
      return std::string{path.substr(0, slash)};
    }
    start = slash + 1;
  }
  return std::nullopt;
}

RealGitDir with_common_dir(const std::string& dir) {
  const auto common = sys::read_file_at(AT_FDCWD, dir + "/commondir", kMostOfAName);
  return {dir, common ? below(dir, without_line_end(*common)) : dir};
}

std::optional<RealGitDir> real_git_dir(const std::string& root) {
  const std::string path = root + "/.git";
  struct stat st {};
  if (::lstat(path.c_str(), &st) != 0) {
    return std::nullopt;
  }
  return S_ISDIR(st.st_mode) ? RealGitDir{path, path} : named_by_file(root, path, st);
}

std::optional<RealGitDir> obeyed_git_dir(const std::string& top) {
  const auto path = sys::real_path(top + "/.git");
  struct stat st {};
  if (!path || ::stat(path->c_str(), &st) != 0) {
    return std::nullopt;
  }
  return S_ISDIR(st.st_mode) ? with_common_dir(*path) : named_by_file(top, *path, st);
}

bool is_bare_git_dir(const std::string& directory) {
  struct stat st {};
  const auto has = [&](const char* name) { return ::stat((directory + name).c_str(), &st) == 0; };
  return ::lstat((directory + "/HEAD").c_str(), &st) == 0 &&
         (has("/commondir") || (has("/objects") && has("/refs")));
}

std::vector<std::string> git_dirs_inside(const std::string& root) {
  std::vector<std::string> inside;
  const auto real = real_git_dir(root);
  if (!real || real->dir == root + "/.git") {
    return inside;
  }
  for (const std::string& dir : {real->dir, real->common}) {
    const auto path = sys::real_path(dir);
    if (path && is_at_or_below(*path, root) && root.size() < path->size()) {
      inside.push_back(path->substr(root.size() + 1));
    }
  }
  return inside;
}

}  // namespace shadow::session
