// SPDX-License-Identifier: MIT
// Whether the bytes of an object are what git itself would write, and what they refer to. The rules
// are those of git-fsck(1): a tree made by hand can name `.git` or lead out of the work tree as
// soon as somebody checks it out.

#pragma once

#include "review/object_copy.hpp"

#include <git2.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::review {

struct TreeRow {
  unsigned mode = 0;
  std::string_view name;
  git_oid id{};
};

// The rows of a tree in their order; nullopt when the bytes are no tree. The names are part of
// `bytes`.
[[nodiscard]] std::optional<std::vector<TreeRow>> tree_rows(std::string_view bytes);

struct Link {
  git_oid id{};
  git_object_t type = GIT_OBJECT_ANY;
  bool modules = false;  // the blob of a `.gitmodules`
};

struct Checked {
  std::string fault;  // what is wrong with it, as the end of a sentence; empty when nothing is
  std::vector<Link> links;
};

// `bytes` without the object's header. Blobs are asked about with check_modules.
[[nodiscard]] Checked check_object(git_object_t type, std::string_view bytes);

// What is wrong with the text of a `.gitmodules`: names and addresses that git took for options or
// for paths out of its directory (CVE-2018-11235, CVE-2018-17456). Empty when nothing is.
[[nodiscard]] std::string check_modules(std::string_view text);

// Whether a filesystem that folds case, ignores some characters (HFS+) or knows short names (NTFS)
// would take `name` for `.git`.
[[nodiscard]] bool is_dot_git(std::string_view name);

}  // namespace shadow::review
