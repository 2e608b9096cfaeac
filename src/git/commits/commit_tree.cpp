// SPDX-License-Identifier: MIT
#include "git/commits/commit_tree.hpp"

#include "shadow/error.hpp"

#include "git/objects/objects.hpp"
#include "git/repository/confined.hpp"
#include "sys/files/beneath.hpp"

#include <string_view>
#include <utility>

namespace shadow::git {

CommitTree::CommitTree(git_odb* odb, const std::string& commit) : odb_{odb} {
  for (TreeDifference& row : difference(odb, "", commit)) {
    std::string_view directory = sys::split_path(row.path).parent;
    while (!directory.empty() && directories_.emplace(directory).second) {
      directory = sys::split_path(directory).parent;
    }
    files_[row.path] = File{row.after_mode, std::move(row.after_id)};
  }
}

unsigned CommitTree::mode_of(const std::string& path) const {
  const auto found = files_.find(path);
  return found != files_.end() ? found->second.mode : directories_.contains(path) ? kTreeMode : 0;
}

std::optional<std::string> CommitTree::text(const std::string& path, std::size_t most) const {
  const auto found = files_.find(path);
  if (found == files_.end() || found->second.mode == kModuleMode) {
    return std::nullopt;
  }
  const ObjectHandle object = read_object(odb_, to_oid(found->second.id));
  const std::string_view bytes = bytes_of(object);
  return bytes.size() <= most ? std::optional{std::string{bytes}} : std::nullopt;
}

std::optional<std::string> look_into_commit(
    const GitDirs& dirs, const std::string& commit,
    const std::function<std::string(const CommitTree&)>& work) {
  try {
    const sys::Fd upper = open_upper_objects(dirs);
    return run_confined(
        [&] {
          const OdbHandle odb = open_objects(dirs, upper);
          return work(CommitTree{odb.get(), commit});
        },
        kToRead);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace shadow::git
