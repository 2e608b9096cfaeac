// SPDX-License-Identifier: MIT
#include "support/git_tree.hpp"

#include "shadow/error.hpp"

#include "support/scratch.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::test {

void write_git_tree(const std::string& root, const GitTree& tree) {
  make_dirs(root);
  for (const auto& [path, node] : tree) {
    const std::string full = sys::join_path(root, path);
    make_dirs(full.substr(0, full.rfind('/')));
    if (node.kind == GitNode::Kind::Link) {
      if (::symlink(node.bytes.c_str(), full.c_str()) != 0) {
        throw_errno("symlink");
      }
    } else {
      write_file(full, node.bytes, node.kind == GitNode::Kind::Program ? 0755 : 0644);
    }
  }
}

namespace {

void read_into(GitTree& tree, const std::string& root, const std::string& below) {
  const sys::Fd dir = sys::open_path(sys::join_path(root, below), O_RDONLY | O_DIRECTORY);
  for (const auto& entry : sys::list_dir_sorted(dir.get())) {
    const std::string path = sys::join_path(below, entry.name);
    struct stat st {};
    if (::fstatat(dir.get(), entry.name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) {
      throw_errno("stat");
    }
    if (S_ISDIR(st.st_mode)) {
      read_into(tree, root, path);
    } else if (S_ISLNK(st.st_mode)) {
      tree[path] = {GitNode::Kind::Link, sys::read_link_at(dir.get(), entry.name)};
    } else {
      tree[path] = {(st.st_mode & 0100U) != 0 ? GitNode::Kind::Program : GitNode::Kind::File,
                    read_file(sys::join_path(root, path))};
    }
  }
}

}  // namespace

GitTree read_git_tree(const std::string& root) {
  GitTree tree;
  read_into(tree, root, "");
  return tree;
}

}  // namespace shadow::test
