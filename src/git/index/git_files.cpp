// SPDX-License-Identifier: MIT
#include "git/index/git_files.hpp"

#include "git/index/git_index.hpp"
#include "git/repository/handle.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <cstdint>

namespace shadow::git {
namespace {

constexpr std::uint64_t kMostExcludeBytes = std::uint64_t{16} << 20U;

// core.excludesFile; nullopt when it is not set or the configuration cannot be read.
std::optional<std::string> excludes_setting(const std::string& home, const std::string& xdg) {
  start_libgit2();
  const auto config = make<ConfigHandle>("read git's configuration", git_config_new);
  const std::string in_xdg = xdg + "/git/config";
  const std::string in_home = home + "/.gitconfig";
  git_buf value = GIT_BUF_INIT;
  const bool found = git_config_add_file_ondisk(config.get(), in_xdg.c_str(), GIT_CONFIG_LEVEL_XDG,
                                                nullptr, 0) >= 0 &&
                     git_config_add_file_ondisk(config.get(), in_home.c_str(),
                                                GIT_CONFIG_LEVEL_GLOBAL, nullptr, 0) >= 0 &&
                     git_config_get_string_buf(&value, config.get(), "core.excludesfile") >= 0;
  std::optional<std::string> result;
  if (found) {
    result = std::string{value.ptr, value.size};
  }
  git_buf_dispose(&value);
  return result;
}

// The paths of an index and of the shared file of a split one; sorted, without duplicates.
std::vector<std::string> paths_in(const std::string& index_file, IndexKinds kinds) {
  std::vector<std::string> paths;
  auto index = parse_index(sys::read_if_file(index_file, kMostOfIndex), kinds);
  if (!index) {
    return paths;
  }
  paths = std::move(index->names);
  const auto beside = shared_file(index_file, index->shared_id);
  auto shared =
      beside ? parse_index(sys::read_if_file(*beside, kMostOfIndex), kinds) : std::nullopt;
  if (shared) {
    std::move(shared->names.begin(), shared->names.end(), std::back_inserter(paths));
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

}  // namespace

std::vector<std::string> tracked_paths(const std::string& index_file) {
  return paths_in(index_file, IndexKinds::All);
}

std::vector<std::string> links_in_index(const std::string& path) {
  return paths_in(path, IndexKinds::Links);
}

std::string user_excludes(const std::string& home) {
  const std::string xdg = sys::user_config_dir(home);
  std::string path = excludes_setting(home, xdg).value_or(xdg + "/git/ignore");
  if (path.starts_with("~/")) {
    path = home + path.substr(1);
  }
  // A relative path would be looked for in the project, where a run can write.
  return path.empty() || path[0] != '/' ? std::string{}
                                        : sys::read_if_file(path, kMostExcludeBytes);
}

}  // namespace shadow::git
