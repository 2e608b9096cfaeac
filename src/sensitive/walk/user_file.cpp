// SPDX-License-Identifier: MIT
#include "sensitive/walk/user_file.hpp"

#include "sys/files/file.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <pwd.h>

namespace shadow::sensitive {

namespace {

bool is_user_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '@' || c == '+';
  });
}

// Empty if there is no such user.
std::string home_of_user(const std::string& name) {
  constexpr std::size_t kRoom = 1U << 16U;
  std::vector<char> room(kRoom);
  struct passwd entry {};
  struct passwd* found = nullptr;
  const bool known = is_user_name(name) &&
                     ::getpwnam_r(name.c_str(), &entry, room.data(), room.size(), &found) == 0 &&
                     found != nullptr && found->pw_dir != nullptr;
  return known ? found->pw_dir : std::string{};
}

}  // namespace

std::string text_of_user_file(const std::string& path, std::uint64_t most) {
  return sys::read_if_file(path, most);
}

std::string with_home(const std::string& path, const std::string& home) {
  if (!path.starts_with('~')) {
    return path;
  }
  const std::size_t end = std::min(path.find('/'), path.size());
  const std::string directory = end == 1 ? home : home_of_user(path.substr(1, end - 1));
  return directory.empty() ? path : directory + path.substr(end);
}

}  // namespace shadow::sensitive
