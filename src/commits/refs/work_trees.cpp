// SPDX-License-Identifier: MIT
#include "commits/refs/work_trees.hpp"

#include "git/repository/git_refs.hpp"
#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <optional>
#include <string_view>
#include <vector>

#include <fcntl.h>

namespace shadow::commits {

namespace {

// A path to one may lead through another: "linked/../..".
bool is_same(const std::string& a, const std::string& b) {
  const Entry one = overlay::look_at(AT_FDCWD, a);
  const Entry other = overlay::look_at(AT_FDCWD, b);
  return one.exists() && one.dev == other.dev && one.ino == other.ino;
}

}  // namespace

std::set<std::string> checked_out_elsewhere(const session::RealGitDir& real) {
  constexpr std::string_view kSymbolic = "ref: ";
  std::set<std::string> refs;
  const sys::Fd common = sys::open_path(real.common, O_RDONLY | O_DIRECTORY);
  const auto add = [&](const std::string& dir) {
    const auto head = is_same(dir, real.dir) ? std::nullopt : git::disk_reader(dir).read("HEAD");
    if (head && head->starts_with(kSymbolic)) {
      refs.insert(head->substr(kSymbolic.size(), head->find('\n') - kSymbolic.size()));
    }
  };
  add(real.common);
  const sys::Fd trees = sys::try_open_beneath(common.get(), "worktrees", O_RDONLY | O_DIRECTORY);
  for (const sys::DirEntry& entry :
       trees ? sys::list_dir(trees.get()) : std::vector<sys::DirEntry>{}) {
    add(real.common + "/worktrees/" + entry.name);
  }
  return refs;
}

}  // namespace shadow::commits
