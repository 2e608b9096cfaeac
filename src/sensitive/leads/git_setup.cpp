// SPDX-License-Identifier: MIT
#include "sensitive/leads/git_setup.hpp"

#include "sensitive/walk/user_file.hpp"
#include "sys/files/real_path.hpp"
#include "sys/processes/process.hpp"

#include <utility>

namespace shadow::sensitive {

UserGit user_git(const std::string& home) {
  const auto of = [](const char* name) { return sys::environment(name).value_or(""); };
  UserGit user{home, {}, settings_of_environment(), user_variables()};
  user.files = {sys::user_config_dir(home) + "/git/config", home + "/.gitconfig"};
  if (of("GIT_CONFIG_NOSYSTEM").empty()) {
    user.files.emplace_back("/etc/gitconfig");
  }
  for (const char* name : {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"}) {
    if (std::string file = of(name); !file.empty()) {
      user.files.push_back(std::move(file));
    }
  }
  return user;
}

std::optional<GitSetup> repository_of_environment(const std::string& root) {
  const auto of = [](const char* name) { return sys::environment(name).value_or(""); };
  const std::string here = sys::real_path(".").value_or(root);
  const auto at = [](const std::string& path, const std::string& base) {
    return path.starts_with('/') ? path : base + "/" + path;
  };
  if (of("GIT_DIR").empty()) {
    return std::nullopt;
  }
  GitSetup setup{root, here, session::with_common_dir(at(of("GIT_DIR"), here))};
  if (const std::string common = of("GIT_COMMON_DIR"); !common.empty()) {
    setup.real->common = at(common, here);
  }
  const std::string config = text_of_user_file(setup.real->common + "/config");
  for (const GitConfigEntry& entry : parse_git_config_text(config).entries) {
    if (entry.section == "core" && entry.key == "worktree" && entry.value) {
      setup.top = at(*entry.value, setup.real->dir);
    }
  }
  if (const std::string top = of("GIT_WORK_TREE"); !top.empty()) {
    setup.top = at(top, here);
  }
  setup.top = sys::real_path(setup.top).value_or(setup.top);
  return setup;
}

}  // namespace shadow::sensitive
