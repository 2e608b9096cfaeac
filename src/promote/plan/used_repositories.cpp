// SPDX-License-Identifier: MIT
#include "promote/plan/used_repositories.hpp"

#include "shadow/error.hpp"

#include "promote/journal/journal.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <map>
#include <string_view>
#include <utility>

#include <fcntl.h>

namespace shadow::promote {

namespace {

// The hashes of files that the apply made, by path; where several steps did, of the last one.
using Made = std::map<std::string, std::string, std::less<>>;

constexpr std::string_view kHead = "/HEAD";
constexpr std::string_view kPackedRefs = "/packed-refs";
constexpr std::string_view kRefs = "/refs/";

// True of what tells of refs, in whatever repository.
bool tells_of_refs(std::string_view path) {
  return path.ends_with(kHead) || path.ends_with(kPackedRefs) ||
         path.find(kRefs) != std::string_view::npos;
}

bool is_as_made(const Tree& tree, const Made& made, const std::string& path) {
  const auto row = made.find(path);
  if (row == made.end()) {
    return !tree.look(path).exists();
  }
  try {
    return tree.content_hash(path) == row->second;
  } catch (const Error&) {
    return false;  // it cannot be read, or is no file by now
  }
}

// Also true of a ref whose file is gone: git has packed it, or deleted it.
bool any_ref_changed(const Tree& tree, const Made& made, const std::string& git_dir) {
  const std::string refs = git_dir + std::string{kRefs};
  for (auto at = made.lower_bound(refs); at != made.end() && at->first.starts_with(refs); ++at) {
    if (!is_as_made(tree, made, at->first)) {
      return true;
    }
  }
  std::vector<std::string> left = {git_dir + "/refs"};
  while (!left.empty()) {
    const std::string directory = std::move(left.back());
    left.pop_back();
    const sys::Fd fd =
        sys::try_open_beneath(tree.root(), directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    for (const sys::DirEntry& entry : fd ? sys::list_dir(fd.get()) : std::vector<sys::DirEntry>{}) {
      const std::string path = sys::join_path(directory, entry.name);
      if (tree.look(path).kind == EntryKind::Directory) {
        left.push_back(path);
      } else if (made.find(path) == made.end()) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

std::set<std::string> used_git_dirs(const Tree& tree, const EachRow& each) {
  Made made;
  std::vector<std::string> git_dirs;
  each(store::StepOrder::Forward, [&](Row& row) {
    if (operation_of(row) == Operation::Put && row.after.kind == EntryKind::File &&
        tells_of_refs(row.path)) {
      if (!row.before.exists() && row.path.ends_with(kHead)) {
        git_dirs.push_back(row.path.substr(0, row.path.size() - kHead.size()));
      }
      made.insert_or_assign(std::move(row.path), std::move(row.after_hash));
    }
  });
  std::set<std::string> used;
  for (const std::string& git_dir : git_dirs) {
    const bool is_one = tree.look(git_dir + "/refs").kind == EntryKind::Directory;
    if (is_one && (!is_as_made(tree, made, git_dir + std::string{kHead}) ||
                   !is_as_made(tree, made, git_dir + std::string{kPackedRefs}) ||
                   any_ref_changed(tree, made, git_dir))) {
      used.insert(git_dir);
    }
  }
  return used;
}

}  // namespace shadow::promote
