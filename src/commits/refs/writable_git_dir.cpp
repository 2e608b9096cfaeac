// SPDX-License-Identifier: MIT
#include "commits/refs/writable_git_dir.hpp"

#include "git/repository/git_refs.hpp"
#include "promote/repository/git_lock.hpp"
#include "sys/files/beneath.hpp"

#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>

namespace shadow::commits {

std::optional<GitTree> open_git_tree(int root, const SessionGit& git) {
  const auto open = [root](const std::string& prefix) {
    return prefix.empty() ? sys::duplicate(root)
                          : sys::try_open_beneath(root, prefix.substr(0, prefix.size() - 1),
                                                  O_RDONLY | O_DIRECTORY);
  };
  GitTree tree{open(git.own_prefix), open(git.prefix)};
  return tree.own && tree.common ? std::optional{std::move(tree)} : std::nullopt;
}

void remove_left_locks(const GitTree& tree, const SessionGit& git) {
  std::vector<std::string> locked = {"index"};
  for (const auto& ref : git::read_refs(git.dirs.view).named) {
    locked.push_back(ref.first);
  }
  promote::GitLock::remove_left(tree.own.get(), locked);
  promote::GitLock::remove_left(tree.common.get(), locked);
}

}  // namespace shadow::commits
