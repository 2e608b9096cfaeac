// SPDX-License-Identifier: MIT
#include "sensitive/system_file.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow {

bool is_system_file(const std::string& path) {
  constexpr std::array<std::string_view, 6> kPlaces = {"/usr", "/bin",   "/sbin",
                                                       "/lib", "/lib64", "/nix/store"};
  const std::unique_ptr<char, decltype(&std::free)> real{::realpath(path.c_str(), nullptr),
                                                         &std::free};
  struct stat st {};
  if (!real || ::stat(real.get(), &st) != 0) {
    return false;
  }
  const bool in_place = std::any_of(kPlaces.begin(), kPlaces.end(), [&](std::string_view place) {
    return is_at_or_below(real.get(), place);
  });
  // In a user namespace that maps the caller alone root's files have the overflow id: whose they
  // are cannot be told there, but that they are not the caller's.
  const uid_t caller = ::geteuid();
  const bool not_the_callers = caller == 0 ? st.st_uid == 0 : st.st_uid != caller;
  return in_place && S_ISREG(st.st_mode) && not_the_callers &&
         (st.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace shadow
