// SPDX-License-Identifier: MIT
#include "git/repository/git_identity.hpp"

#include "shadow/error.hpp"

#include "git/repository/handle.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <sys/stat.h>

namespace shadow::git {
namespace {

std::string setting(const git_config* config, const char* name) {
  git_buf value = GIT_BUF_INIT;
  std::string text;
  if (git_config_get_string_buf(&value, config, name) >= 0) {
    text.assign(value.ptr, value.size);
  }
  git_buf_dispose(&value);
  return text;
}

// Removes the characters that would end the field.
std::string cleaned(std::string text) {
  constexpr std::string_view kBad{"<>\n\0", 4};
  text.erase(std::remove_if(text.begin(), text.end(),
                            [kBad](char c) { return kBad.find(c) != std::string_view::npos; }),
             text.end());
  return text;
}

}  // namespace

std::optional<std::string> configured_identity(const std::vector<std::string>& files) {
  start_libgit2();
  const auto config = make<ConfigHandle>("read git's configuration", git_config_new);
  constexpr std::array kLevels = {GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL,
                                  GIT_CONFIG_LEVEL_LOCAL};
  for (std::size_t i = 0; i < files.size() && i < kLevels.size(); ++i) {
    struct stat st {};
    if (::stat(files[i].c_str(), &st) == 0 && S_ISREG(st.st_mode)) {
      // A file that cannot be read counts nothing either.
      (void)git_config_add_file_ondisk(config.get(), files[i].c_str(), kLevels[i], nullptr, 0);
    }
  }
  std::string name = cleaned(sys::environment("GIT_COMMITTER_NAME").value_or(""));
  std::string email = cleaned(sys::environment("GIT_COMMITTER_EMAIL").value_or(""));
  if (name.empty()) {
    name = cleaned(setting(config.get(), "user.name"));
  }
  if (email.empty()) {
    email = cleaned(setting(config.get(), "user.email"));
  }
  if (name.empty() || email.empty()) {
    return std::nullopt;
  }
  return name + " <" + email + '>';
}

}  // namespace shadow::git
