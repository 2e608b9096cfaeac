// SPDX-License-Identifier: MIT
#include "policy/trusted_file.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/real_path.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::policy {
namespace {

// The id that stands for every id that a user namespace does not map.
constexpr uid_t kNobody = 65534;

bool is_place_of_root(const std::string& path) {
  constexpr std::array<std::string_view, 3> kPlaces = {"/etc", "/usr", "/nix/store"};
  return std::any_of(kPlaces.begin(), kPlaces.end(),
                     [&](std::string_view place) { return is_at_or_below(path, place); });
}

bool root_is_mapped() {
  struct stat st {};
  return ::stat("/", &st) != 0 || st.st_uid != kNobody;
}

enum class What { File, Directory };

bool is_anothers(const struct stat& st, const std::string& path, What what) {
  if (st.st_uid == ::geteuid() || st.st_uid == 0) {
    return false;
  }
  return st.st_uid != kNobody || root_is_mapped() ||
         (what == What::File && !is_place_of_root(path));
}

void check(const std::string& path, What what) {
  constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;
  struct stat st {};
  if (::stat(path.empty() ? "/" : path.c_str(), &st) != 0) {
    return;
  }
  const std::string start = "cannot trust the configuration " + quoted(path);
  if (is_anothers(st, path, what)) {
    throw Error{start + ": it belongs to another user",
                "chown it, or set XDG_CONFIG_HOME to a directory of your own"};
  }
  // In a sticky one of root's, such as /tmp, nobody can take another's place.
  const bool sticky = what == What::Directory && (st.st_mode & S_ISVTX) != 0;
  if ((st.st_mode & kOthersWrite) != 0 && !sticky) {
    throw Error{start + ": others may write to it", "chmod go-w " + shell_quoted(path)};
  }
}

void check_directories(std::string path) {
  for (; !path.empty(); path.erase(path.rfind('/'))) {
    check(path, What::Directory);
  }
}

}  // namespace

void check_nobody_else_writes(const std::string& file) {
  // If the file is a link, its own directory and that of its target.
  const std::string directory = file.substr(0, file.rfind('/'));
  if (::faccessat(AT_FDCWD, directory.c_str(), F_OK, 0) != 0) {
    return;  // as with most users, and every run asks
  }
  if (const auto real = sys::real_path(directory)) {
    check_directories(*real);
  }
  if (const auto real = sys::real_path(file)) {
    check(*real, What::File);
    const std::string above = real->substr(0, real->rfind('/'));
    if (above != directory) {
      check_directories(above);
    }
  }
}

}  // namespace shadow::policy
