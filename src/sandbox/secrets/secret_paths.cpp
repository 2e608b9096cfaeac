// SPDX-License-Identifier: MIT
#include "sandbox/secrets/secret_paths.hpp"

#include "base/text.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/real_path.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include <sys/stat.h>

namespace shadow::sandbox {
namespace {

// The real paths of directories of the home.
class Directories {
 public:
  explicit Directories(const std::string& home) { known_.emplace("", home); }

  // nullopt when there is none.
  const std::optional<std::string>& find(std::string_view directory) {
    const auto known = known_.find(directory);
    if (known != known_.end()) {
      return known->second;
    }
    const sys::SplitPath parts = sys::split_path(directory);
    std::optional<std::string> path;
    if (const auto& parent = find(parts.parent)) {
      path = directory_at(*parent + '/' + std::string{parts.name});
    }
    return known_.emplace(directory, std::move(path)).first->second;
  }

 private:
  static std::optional<std::string> directory_at(const std::string& path) {
    struct stat st {};
    if (::lstat(path.c_str(), &st) != 0) {
      return std::nullopt;
    }
    if (!S_ISLNK(st.st_mode)) {
      return S_ISDIR(st.st_mode) ? std::optional<std::string>{path} : std::nullopt;
    }
    auto real = sys::real_path(path);
    return real && ::stat(real->c_str(), &st) == 0 && S_ISDIR(st.st_mode) ? real : std::nullopt;
  }

  std::map<std::string, std::optional<std::string>, std::less<>> known_;
};

void add(SecretPaths& secret, const std::string& home, const std::string& path) {
  const bool inside = path.starts_with(home + "/");
  std::vector<std::string>& paths = inside ? secret.in_home : secret.elsewhere;
  const std::string kept = inside ? path.substr(home.size() + 1) : path;
  if (std::find(paths.begin(), paths.end(), kept) == paths.end()) {
    paths.push_back(kept);
  }
}

}  // namespace

std::vector<SecretPaths> find_secrets(const std::string& home,
                                      const std::vector<std::string>& secrets) {
  Directories directories{home};
  std::vector<SecretPaths> found;
  found.reserve(secrets.size());
  for (const std::string& name : secrets) {
    SecretPaths secret;
    secret.name = name;
    const sys::SplitPath parts = sys::split_path(name);
    if (const auto& directory = directories.find(parts.parent)) {
      secret.directory_exists = true;
      const std::string path = *directory + '/' + std::string{parts.name};
      add(secret, home, path);
      struct stat st {};
      if (::lstat(path.c_str(), &st) == 0 && S_ISLNK(st.st_mode)) {
        if (const auto real = sys::real_path(path)) {
          add(secret, home, *real);
        }
      }
    }
    found.push_back(std::move(secret));
  }
  return found;
}

}  // namespace shadow::sandbox
