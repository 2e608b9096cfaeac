// SPDX-License-Identifier: MIT
#include "sensitive/walk/system_file.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/real_path.hpp"
#include "sys/namespaces/acl.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::sensitive {

namespace {

// The id that stands for every id that a user namespace does not map.
constexpr std::uint32_t kNobody = 65534;

// The owner of what nobody else may write.
std::optional<std::uint32_t> sole_writer_of(const std::string& path) {
  const sys::Fd fd = sys::try_open_at(AT_FDCWD, path, O_PATH);
  struct stat st {};
  if (!fd || ::fstat(fd.get(), &st) != 0 || (st.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return std::nullopt;
  }
  try {
    return sys::user_of(fd.get());
  } catch (const Error&) {
    return std::nullopt;
  }
}

// "python3.12", "pypy3", "python3.13t".
bool is_name_of_python(std::string_view name) {
  constexpr std::array<std::string_view, 4> kPythons = {"python", "pypy", "platform-python",
                                                        "graalpy"};
  return std::any_of(kPythons.begin(), kPythons.end(), [name](std::string_view one) {
    return name.starts_with(one) &&
           name.find_first_not_of("0123456789.tdm", one.size()) == std::string_view::npos;
  });
}

}  // namespace

bool is_system_python(const std::string& path) {
  const std::string real = sys::real_path(path).value_or("");
  return is_name_of_python(std::string_view{real}.substr(real.rfind('/') + 1)) &&
         is_system_file(real);
}

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
  // In a user namespace that maps no root, as a container may be, root's files have the overflow
  // id. Whether root is mapped the top of the filesystem tells: see policy/trusted_file.cpp.
  const std::uint32_t system = sole_writer_of("/") == kNobody ? kNobody : 0;
  for (; !real.empty(); real.erase(real.rfind('/'))) {
    if (sole_writer_of(real) != system) {
      return false;
    }
  }
  return true;
}

}  // namespace shadow::sensitive
