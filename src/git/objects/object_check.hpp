// SPDX-License-Identifier: MIT
// Checks that the bytes of an object are what git itself would write, and lists the objects that
// they refer to. The rules are those of git-fsck(1): a tree made by hand can name `.git` or lead
// out of the work tree as soon as somebody checks it out. libgit2 has no such check.

#pragma once

#include "git/objects/tree_entry.hpp"

#include <git2.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::git {

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
  bool modules = false;  // the blob of a `.gitmodules`, in any spelling
};

struct Checked {
  std::string fault;  // what is wrong with it, as the end of a sentence; empty when nothing is
  std::vector<Link> links;
};

// `bytes` without the object's header. Blobs are asked about with check_modules.
[[nodiscard]] Checked check_object(git_object_t type, std::string_view bytes);

// The fault of a `.gitmodules` text by the rules of git-fsck(1), or "": names and addresses that
// git took for options, commands, or paths out of its directory (CVE-2018-11235, CVE-2018-17456,
// CVE-2019-19604, CVE-2020-11008).
[[nodiscard]] std::string check_modules(std::string_view text);

}  // namespace shadow::git
