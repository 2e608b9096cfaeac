// SPDX-License-Identifier: MIT
#include "session/project/real_git_dir.hpp"

#include "sys/files/file.hpp"
#include "sys/files/real_path.hpp"

#include <cstdint>
#include <string_view>

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

constexpr std::uint64_t kMostOfAName = 1U << 16U;

// A `.git` file, gitrepository-layout(5); `st` is its.
std::optional<RealGitDir> named_by_file(const std::string& root, const std::string& path,
                                        const struct stat& st) {
  constexpr std::string_view kPrefix = "gitdir: ";
  const auto text =
      S_ISREG(st.st_mode) ? sys::read_file_at(AT_FDCWD, path, kMostOfAName) : std::nullopt;
  if (!text || !text->starts_with(kPrefix)) {
    return std::nullopt;
  }
  return with_common_dir(below(root, without_line_end(text->substr(kPrefix.size()))));
}

}  // namespace

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

std::optional<std::string> outside_git_dir(const std::string& project) {
  const auto real = real_git_dir(project);
  if (!real || real->dir == project + "/.git") {
    return std::nullopt;
  }
  auto directory = sys::real_path(real->common);
  struct stat st {};
  if (!directory || (*directory + "/").starts_with(project + "/") ||
      ::stat((*directory + "/objects").c_str(), &st) != 0) {
    return std::nullopt;
  }
  return directory;
}

}  // namespace shadow::session
