// SPDX-License-Identifier: MIT
// Giving a file of an upper another content. Only while no mount uses the upper.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace shadow::overlay {

struct NewContent {
  std::string_view bytes;
  std::uint32_t mode = 0;
  int attributes_of = -1;  // whose user.* attributes it has: an entry of either layer
};

// An upper, and a directory of its filesystem that no view shows and nobody else stages in
// meanwhile.
struct Rewritable {
  int upper = -1;
  int staging = -1;
};

// Replaces the regular file at `path`, whole or not at all, also when the machine dies. What marks
// the old one as a copy of a lower file, its owner and its ACL stay; other names of its inode keep
// the old content. Throws SysError.
void rewrite(const Rewritable& layer, const std::string& path, const NewContent& content);

}  // namespace shadow::overlay
