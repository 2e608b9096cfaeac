// SPDX-License-Identifier: MIT
#include "git/objects/tree_find.hpp"

#include "shadow/error.hpp"

#include "base/wire.hpp"
#include "git/objects/object_check.hpp"
#include "git/objects/tree_difference.hpp"
#include "git/objects/tree_entry.hpp"
#include "git/objects/tree_rows.hpp"
#include "git/repository/confined.hpp"
#include "git/repository/handle.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace shadow::git {
namespace {

// In the child. A tree made by hand may name one below it many times over.
class TreeSearch {
 public:
  TreeSearch(git_odb* odb, const WantedEntry& wanted) : odb_{odb}, wanted_{wanted} {}

  std::string find(const std::string& commit) {
    const ObjectHandle object = read_object(odb_, to_oid(commit));
    const Checked checked = check_object(GIT_OBJECT_COMMIT, bytes_of(object));
    if (git_odb_object_type(object.get()) != GIT_OBJECT_COMMIT || checked.links.empty()) {
      throw Error{"cannot read a commit"};
    }
    next_.emplace_back("", checked.links.front().id);
    while (!next_.empty()) {
      const auto [path, tree] = std::move(next_.back());
      next_.pop_back();
      search(path, tree);
    }
    return answer_.take();
  }

 private:
  void search(const std::string& path, const git_oid& tree) {
    const ObjectHandle object = read_object(odb_, tree);
    const auto rows = tree_rows(bytes_of(object));
    constexpr std::size_t kMostRows = 5'000'000;
    rows_ += rows ? rows->size() : 0;
    if (git_odb_object_type(object.get()) != GIT_OBJECT_TREE || !rows || rows_ > kMostRows) {
      throw Error{"cannot read a tree"};
    }
    for (const TreeRow& row : *rows) {
      std::string below = sys::join_path(path, row.name);
      if (wanted_(row.name, row.mode)) {
        answer_.text(below);
        answer_.number(row.mode);
        answer_.text(row.mode == kLinkMode ? bytes_of(read_object(odb_, row.id))
                                           : std::string_view{});
      }
      if (row.mode == kTreeMode) {
        next_.emplace_back(std::move(below), row.id);
      }
    }
  }

  git_odb* odb_;
  const WantedEntry& wanted_;
  std::vector<std::pair<std::string, git_oid>> next_;
  std::size_t rows_ = 0;
  WireWriter answer_;
};

}  // namespace

std::vector<TreeFind> find_in_commit(const std::string& objects_dir, const std::string& commit,
                                     const WantedEntry& wanted) {
  start_libgit2();
  const auto answer = run_confined([&] {
    const auto odb =
        make<OdbHandle>("open the project's objects", git_odb_open, objects_dir.c_str());
    return TreeSearch{odb.get(), wanted}.find(commit);
  });
  WireReader in{answer ? std::string_view{*answer} : std::string_view{}};
  std::vector<TreeFind> found;
  while (in.ok() && !in.done()) {
    TreeFind& one = found.emplace_back();
    one.path = in.text();
    one.mode = static_cast<unsigned>(in.number());
    one.target = in.text();
  }
  if (!in.ok()) {
    return {};
  }
  std::sort(found.begin(), found.end(),
            [](const TreeFind& a, const TreeFind& b) { return a.path < b.path; });
  return found;
}

}  // namespace shadow::git
