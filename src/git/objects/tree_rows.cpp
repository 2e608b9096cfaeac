// SPDX-License-Identifier: MIT
#include "git/objects/tree_rows.hpp"

#include <utility>

namespace shadow::git {
namespace {

// Takes a mode and the blank behind it; nullopt when there is none.
std::optional<unsigned> take_mode(std::string_view& bytes) {
  constexpr std::size_t kMostDigits = 7;  // one zero too many
  const std::size_t blank = bytes.find(' ');
  if (blank == 0 || blank > kMostDigits) {
    return std::nullopt;
  }
  unsigned mode = 0;
  for (const char digit : bytes.substr(0, blank)) {
    if (digit < '0' || digit > '7') {
      return std::nullopt;
    }
    mode = mode * 8 + static_cast<unsigned>(digit - '0');
  }
  bytes.remove_prefix(blank + 1);
  return mode;
}

}  // namespace

TreeBytes read_tree(std::string_view bytes) {
  TreeBytes tree;
  while (!bytes.empty()) {
    tree.padded_mode = tree.padded_mode || bytes.front() == '0';
    const auto mode = take_mode(bytes);
    const std::size_t end = mode ? bytes.find('\0') : std::string_view::npos;
    if (end == std::string_view::npos || bytes.size() - end - 1 < GIT_OID_RAWSZ) {
      tree.whole = false;
      return tree;
    }
    TreeRow& row = tree.rows.emplace_back(TreeRow{*mode, bytes.substr(0, end), {}});
    git_oid_fromraw(&row.id, reinterpret_cast<const unsigned char*>(bytes.data()) + end + 1);
    bytes.remove_prefix(end + 1 + GIT_OID_RAWSZ);
  }
  return tree;
}

std::optional<std::vector<TreeRow>> tree_rows(std::string_view bytes) {
  TreeBytes tree = read_tree(bytes);
  if (!tree.whole || tree.padded_mode) {
    return std::nullopt;
  }
  return std::move(tree.rows);
}

}  // namespace shadow::git
