// SPDX-License-Identifier: MIT
#include "session/project/git_dir.hpp"

#include "base/text.hpp"
#include "git/objects/tree_names.hpp"
#include "sys/files/real_path.hpp"

#include <algorithm>

#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::session {

namespace {

// The first byte rules out most names.
bool may_be_dot_git(std::string_view name) {
  constexpr std::size_t kShortest = 4;
  return name.size() >= kShortest && (name.front() == '.' || name.front() == 'g' ||
                                      name.front() == 'G' || (name.front() & 0x80) != 0);
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
