// SPDX-License-Identifier: MIT
// Trees as git keeps them: files, programs and symlinks.

#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace shadow::test {

struct GitNode {
  enum class Kind : std::uint8_t { File, Program, Link } kind = Kind::File;
  std::string bytes;  // content, or target
  bool operator==(const GitNode&) const = default;
};
using GitTree = std::map<std::string, GitNode>;

void write_git_tree(const std::string& root, const GitTree& tree);
[[nodiscard]] GitTree read_git_tree(const std::string& root);

}  // namespace shadow::test
