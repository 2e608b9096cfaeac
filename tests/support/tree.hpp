// SPDX-License-Identifier: MIT
// Trees as values: a literal that is built on disk, a walk that reads one back, and a comparison
// that prints what differs.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace shadow::test {

enum class Kind : std::uint8_t { File, Link, Directory, Fifo, Socket, Hard, Whiteout };

// One entry to be made. `text`: content of a file, target of a symlink, path (in the tree) of the
// name that a hard link is made to.
struct Item {
  Kind kind = Kind::File;
  std::string text;
  mode_t mode = 0644;
  std::vector<std::pair<std::string, std::string>> xattrs;

  [[nodiscard]] Item with(const std::string& name, const std::string& value) const;
};

[[nodiscard]] Item file(std::string text, mode_t mode = 0644);
[[nodiscard]] Item link(std::string target);
[[nodiscard]] Item dir(mode_t mode = 0755);
[[nodiscard]] Item opaque(mode_t mode = 0755);
[[nodiscard]] Item fifo();
[[nodiscard]] Item sock();
[[nodiscard]] Item hard(std::string to);
[[nodiscard]] Item whiteout();

using Tree = std::map<std::string, Item>;

// Makes the entries below `root`, which is made too; missing parents have mode 0755.
void build(const std::string& root, const Tree& tree);

// One name as a walk found it. `links`: the first name of the same inode in the tree, empty when it
// is the only one. `inode` is not compared; it is the number alone, because overlayfs gives its own
// device for files of all layers, and in these tests they lie on one filesystem.
struct Node {
  std::string kind;
  mode_t mode = 0;
  std::uint64_t size = 0;
  std::string hash;
  std::string target;
  std::string links;
  std::map<std::string, std::string> xattrs;
  std::uint64_t inode = 0;
};

using Snapshot = std::map<std::string, Node>;

// Everything below `root`, which is not listed itself. Throws std::runtime_error.
[[nodiscard]] Snapshot snapshot(const std::string& root);

// Works out `links` anew from the inodes, after names were taken out or put in.
void relink(Snapshot& tree);

// One line a difference, '' when there is none.
[[nodiscard]] std::string differences(const Snapshot& expected, const Snapshot& found);

[[nodiscard]] std::string describe(const Node& node);

}  // namespace shadow::test
