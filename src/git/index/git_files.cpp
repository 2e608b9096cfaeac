// SPDX-License-Identifier: MIT
// Reads the user's own git set-up: the index's paths and the global excludes file.
#include "shadow/ignore.hpp"

#include "git/index/git_index.hpp"
#include "git/repository/handle.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <cstdint>

namespace shadow {
namespace {

constexpr std::uint64_t kMostIndexBytes = std::uint64_t{1} << 30U;
constexpr std::uint64_t kMostExcludeBytes = std::uint64_t{16} << 20U;

// core.excludesFile; nullopt when it is not set or the configuration cannot be read.
std::optional<std::string> excludes_setting(const std::string& home, const std::string& xdg) {
  git::start_libgit2();
  const auto config = git::make<git::ConfigHandle>("read git's configuration", git_config_new);
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

using Parse = std::optional<git::IndexNames> (*)(std::string_view bytes);

// The paths of an index and of the shared file of a split one; sorted, without duplicates.
std::vector<std::string> paths_in(const std::string& index_file, Parse parse) {
  std::vector<std::string> paths;
  auto index = parse(sys::read_if_file(index_file, kMostIndexBytes));
  if (!index) {
    return paths;
  }
  paths = std::move(index->names);
  if (index->shared_id.find_first_not_of('0') != std::string::npos) {
    const std::string directory = index_file.substr(0, index_file.rfind('/') + 1);
    auto shared =
        parse(sys::read_if_file(directory + "sharedindex." + index->shared_id, kMostIndexBytes));
    if (shared) {
      std::move(shared->names.begin(), shared->names.end(), std::back_inserter(paths));
    }
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

}  // namespace

std::vector<std::string> tracked_paths(const std::string& index_file) {
  return paths_in(index_file, git::parse_index);
}

std::vector<std::string> git::links_in_index(const std::string& path) {
  return paths_in(path, git::parse_index_links);
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

}  // namespace shadow
