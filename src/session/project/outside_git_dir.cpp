// SPDX-License-Identifier: MIT
#include "session/project/outside_git_dir.hpp"

#include "shadow/error.hpp"

#include "sys/files/file.hpp"
#include "sys/files/real_path.hpp"

#include <climits>

#include <sys/stat.h>

namespace shadow::session {
namespace {

constexpr std::string_view kGitDir = "gitdir: ";

std::string resolved(const std::string& from, const std::string& path) {
  return sys::real_path(path.starts_with('/') ? path : from + "/" + path).value_or("");
}

std::optional<std::string> first_line(const std::string& path) {
  constexpr std::uint64_t kMost = 1U << 16U;
  const auto text = sys::read_file_at(AT_FDCWD, path, kMost);
  return text ? std::optional{text->substr(0, text->find('\n'))} : std::nullopt;
}

}  // namespace

std::optional<std::string> outside_git_dir(const std::string& project) {
  const std::string name = project + "/.git";
  struct stat st {};
  if (::lstat(name.c_str(), &st) != 0 || !S_ISREG(st.st_mode)) {
    return std::nullopt;
  }
  const auto line = first_line(name);
  if (!line || !line->starts_with(kGitDir)) {
    return std::nullopt;
  }
  std::string directory = resolved(project, line->substr(kGitDir.size()));
  if (directory.empty()) {
    return std::nullopt;
  }
  if (const auto common = first_line(directory + "/commondir")) {
    directory = resolved(directory, *common);
  }
  const bool inside = (directory + "/").starts_with(project + "/");
  if (directory.empty() || inside || ::stat((directory + "/objects").c_str(), &st) != 0) {
    return std::nullopt;
  }
  return directory;
}

}  // namespace shadow::session
