// SPDX-License-Identifier: MIT
// Checks that the bytes of an object are what git itself would write (git/objects/object_rules),
// and lists the objects that they refer to.

#pragma once

#include "git/objects/object_rules.hpp"

#include <git2.h>

#include <string>
#include <string_view>
#include <vector>

namespace shadow::git {

struct Link {
  git_oid id{};
  git_object_t type = GIT_OBJECT_ANY;
  bool modules = false;  // the blob of a `.gitmodules`, in any spelling
};

struct Checked {
  std::string fault;      // what is wrong with it, as the end of a sentence; empty when nothing is
  std::string_view rule;  // the first that it breaks, by git's name
  std::vector<Link> links;
};

// `bytes` without the object's header. Blobs are checked by check_modules.
[[nodiscard]] Checked check_object(git_object_t type, std::string_view bytes);

}  // namespace shadow::git
