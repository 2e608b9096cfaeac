// SPDX-License-Identifier: MIT
#include "promote/repository/git_owner.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/attributes.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::promote {

bool is_of_git_dir(std::string_view path) {
  return path == ".git" || path.starts_with(".git/") || path.ends_with("/.git") ||
         path.find("/.git/") != std::string_view::npos;
}

void own_as(int like, int made) {
  if (::geteuid() == 0) {
    overlay::copy_owner(like, made);
  }
}

void own_as_replaced(int dir, const std::string& name, int made) {
  const sys::Fd old = sys::try_open_at(dir, name, O_PATH | O_NOFOLLOW);
  own_as(old ? old.get() : dir, made);
}

void make_git_dirs(int git_dir, std::string_view path, mode_t mode) {
  sys::Fd at = sys::open_beneath(git_dir, {}, O_PATH | O_DIRECTORY);
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string part{path.substr(0, slash)};
    path.remove_prefix(std::min(slash + 1, path.size()));
    const bool made = ::mkdirat(at.get(), part.c_str(), mode) == 0;
    if (!made && errno != EEXIST) {
      throw_errno("make directory " + quoted(part));
    }
    sys::Fd below = sys::open_beneath(at.get(), part, O_PATH | O_DIRECTORY);
    if (made) {
      own_as(at.get(), below.get());
    }
    at = std::move(below);
  }
}

}  // namespace shadow::promote
