// SPDX-License-Identifier: MIT
// libgit2's objects as owned values, and its result codes as exceptions.

#pragma once

#include <git2.h>

#include <memory>
#include <utility>

namespace shadow::git {

template <auto Free>
struct FreeWith {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};

template <class T, auto Free>
using Handle = std::unique_ptr<T, FreeWith<Free>>;

using CommitHandle = Handle<git_commit, git_commit_free>;
using ConfigHandle = Handle<git_config, git_config_free>;
using OdbHandle = Handle<git_odb, git_odb_free>;
using PatchHandle = Handle<git_patch, git_patch_free>;
using RepositoryHandle = Handle<git_repository, git_repository_free>;
using TreeEntryHandle = Handle<git_tree_entry, git_tree_entry_free>;
using TreeHandle = Handle<git_tree, git_tree_free>;

// Starts the library once per process, with its search paths cleared: the user's and the machine's
// configuration, attributes and ignore files must not change what we print. Every function of this
// room that calls libgit2 calls this first.
void start_libgit2();

// Throws the library's last error unless `result` is a success; `doing` completes "cannot ...".
// GIT_EMISMATCH, an object whose bytes are not what its id says, becomes StaleError.
void check(int result, const char* doing);

// Calls `create(&out, args...)`, the shape of the library's constructors, and owns the result.
template <class H, class Create, class... Args>
[[nodiscard]] H make(const char* doing, Create create, Args&&... args) {
  typename H::pointer out = nullptr;
  check(create(&out, std::forward<Args>(args)...), doing);
  return H{out};
}

}  // namespace shadow::git
