// SPDX-License-Identifier: MIT
#include "sensitive/walk/real_path.hpp"

#include "shadow/error.hpp"

#include "sys/files/file.hpp"
#include "sys/files/real_path.hpp"

#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::sensitive {

namespace {

constexpr int kMostResolvings = 80;  // links and components

std::string resolve_existing(const std::string& path, int steps) {
  if (!path.starts_with('/') || steps > kMostResolvings) {
    return {};
  }
  if (auto real = sys::real_path(path)) {
    return *real;
  }
  std::string cut = path;
  while (cut.size() > 1 && cut.ends_with('/')) {
    cut.pop_back();
  }
  const std::size_t slash = cut.rfind('/');
  const std::string name = cut.substr(slash + 1);
  std::string parent = resolve_existing(slash == 0 ? "/" : cut.substr(0, slash), steps + 1);
  if (parent.empty() || name.empty()) {
    return parent;
  }
  if (name == "." || name == "..") {
    return name == "." ? parent : parent.substr(0, parent.rfind('/'));
  }
  std::string whole = (parent == "/" ? "" : parent) + "/" + name;
  struct stat st {};
  if (::lstat(whole.c_str(), &st) != 0 || !S_ISLNK(st.st_mode)) {
    return whole;
  }
  try {
    const std::string target = sys::read_link_at(AT_FDCWD, whole);
    return resolve_existing(target.starts_with('/') ? target : parent + "/" + target, steps + 1);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

std::string real_path_of(const std::string& path) {
  return resolve_existing(path, 0);
}

}  // namespace shadow::sensitive
