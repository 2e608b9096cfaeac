// SPDX-License-Identifier: MIT
#include "sensitive/repositories/git_dir_parts.hpp"

#include "base/text.hpp"
#include "session/project/git_dir.hpp"

#include <array>
#include <vector>

namespace shadow::sensitive {

namespace {

struct GitPart {
  std::string_view name;
  std::string_view reason;
};

constexpr std::array kGitParts = {
    GitPart{"hooks", "git runs it"},
    GitPart{"config", "git obeys it, and it can name programs to run"},
    GitPart{"config.worktree", "git obeys it, and it can name programs to run"},
    GitPart{"info", "git obeys it"},
};

}  // namespace

// The repositories of sub-modules lie in modules/NAME, NAME being any number of components.
std::string_view reason_in_git_dir(const std::string& folded) {
  const auto dir = session::git_dir_of(folded);
  if (!dir || dir->size() == folded.size()) {
    return {};
  }
  const std::vector<std::string> parts =
      split(std::string_view{folded}.substr(dir->size() + 1), '/');
  const std::size_t last = parts.front() == "modules" ? parts.size() : 1;
  for (std::size_t i = 0; i < last; ++i) {
    for (const GitPart& part : kGitParts) {
      if (parts[i] == part.name) {
        return part.reason;
      }
    }
  }
  return {};
}

}  // namespace shadow::sensitive
