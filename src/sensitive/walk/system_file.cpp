// SPDX-License-Identifier: MIT
#include "sensitive/walk/system_file.hpp"

#include "base/text.hpp"
#include "sys/files/real_path.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::sensitive {

namespace {

// In a user namespace that maps the caller alone root's files have the overflow id: whose they are
// cannot be told there, but that they are not the caller's.
bool is_closed(const struct stat& st) {
  const uid_t caller = ::geteuid();
  const bool not_the_callers = caller == 0 ? st.st_uid == 0 : st.st_uid != caller;
  return not_the_callers && (st.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace

bool is_system_file(const std::string& path) {
  constexpr std::array<std::string_view, 6> kPlaces = {"/usr", "/bin",   "/sbin",
                                                       "/lib", "/lib64", "/nix/store"};
  std::string real = sys::real_path(path).value_or("");
  struct stat st {};
  if (::stat(real.c_str(), &st) != 0 || !S_ISREG(st.st_mode) ||
      std::none_of(kPlaces.begin(), kPlaces.end(),
                   [&](std::string_view place) { return is_at_or_below(real, place); })) {
    return false;
  }
  for (; !real.empty(); real.erase(real.rfind('/'))) {
    if (::stat(real.c_str(), &st) != 0 || !is_closed(st)) {
      return false;
    }
  }
  return true;
}

}  // namespace shadow::sensitive
