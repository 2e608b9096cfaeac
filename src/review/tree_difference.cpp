// SPDX-License-Identifier: MIT
#include "review/tree_difference.hpp"

#include "shadow/error.hpp"

#include "review/object_check.hpp"
#include "sys/beneath.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace shadow::review {
namespace {

constexpr int kDeepest = 512;
constexpr std::size_t kMostDifferences = 1'000'000;

using Rows = std::map<std::string, TreeRow>;

class Comparison {
 public:
  explicit Comparison(git_odb* odb) : odb_{odb} {}

  void compare(const std::string& path, const git_oid* before, const git_oid* after, int depth) {
    if (depth > kDeepest) {
      throw Error{"cannot compare trees: too deep"};
    }
    Rows old_rows = rows_of(before);
    const Rows new_rows = rows_of(after);
    for (const auto& [name, row] : new_rows) {
      const auto found = old_rows.find(name);
      pair(sys::join_path(path, name), found == old_rows.end() ? nullptr : &found->second, &row,
           depth);
      if (found != old_rows.end()) {
        old_rows.erase(found);
      }
    }
    for (const auto& [name, row] : old_rows) {
      pair(sys::join_path(path, name), &row, nullptr, depth);
    }
  }

  std::vector<TreeDifference> take() && {
    std::sort(found_.begin(), found_.end(),
              [](const TreeDifference& a, const TreeDifference& b) { return a.path < b.path; });
    return std::move(found_);
  }

 private:
  Rows rows_of(const git_oid* tree) {
    Rows rows;
    if (tree == nullptr) {
      return rows;
    }
    const ObjectHandle object = read_object(odb_, *tree);
    const auto list = tree_rows(bytes_of(object));
    if (git_odb_object_type(object.get()) != GIT_OBJECT_TREE || !list) {
      throw Error{"cannot read a tree"};
    }
    for (const TreeRow& row : *list) {
      rows.emplace(row.name, row);
    }
    for (auto& [name, row] : rows) {
      row.name = name;
    }
    return rows;
  }

  void pair(const std::string& path, const TreeRow* before, const TreeRow* after, int depth) {
    const bool was_tree = before != nullptr && before->mode == kTreeMode;
    const bool is_tree = after != nullptr && after->mode == kTreeMode;
    if (before != nullptr && after != nullptr && before->mode == after->mode &&
        git_oid_equal(&before->id, &after->id) == 1) {
      return;
    }
    if (was_tree || is_tree) {
      compare(path, was_tree ? &before->id : nullptr, is_tree ? &after->id : nullptr, depth + 1);
    }
    TreeDifference row;
    row.path = path;
    if (before != nullptr && !was_tree) {
      row.before_mode = before->mode;
      row.before_id = to_hex(before->id);
    }
    if (after != nullptr && !is_tree) {
      row.after_mode = after->mode;
      row.after_id = to_hex(after->id);
    }
    if (row.before_mode != 0 || row.after_mode != 0) {
      if (found_.size() >= kMostDifferences) {
        throw Error{"cannot compare trees: too many differences"};
      }
      found_.push_back(std::move(row));
    }
  }

  git_odb* odb_;
  std::vector<TreeDifference> found_;
};

std::optional<git_oid> tree_of(git_odb* odb, const std::string& commit) {
  if (commit.empty()) {
    return std::nullopt;
  }
  const ObjectHandle object = read_object(odb, to_oid(commit));
  const Checked checked = check_object(GIT_OBJECT_COMMIT, bytes_of(object));
  if (git_odb_object_type(object.get()) != GIT_OBJECT_COMMIT || checked.links.empty()) {
    throw Error{"cannot read a commit"};
  }
  return checked.links.front().id;
}

}  // namespace

ObjectHandle read_object(git_odb* odb, const git_oid& id) {
  return make<ObjectHandle>("read an object", git_odb_read, odb, &id);
}

std::string_view bytes_of(const ObjectHandle& object) {
  return {static_cast<const char*>(git_odb_object_data(object.get())),
          git_odb_object_size(object.get())};
}

git_oid to_oid(const std::string& hex) {
  git_oid id{};
  check(git_oid_fromstr(&id, hex.c_str()), "read an object's name");
  return id;
}

std::string to_hex(const git_oid& id) {
  std::string hex(GIT_OID_HEXSZ, '0');
  git_oid_fmt(hex.data(), &id);
  return hex;
}

std::vector<TreeDifference> difference(git_odb* odb, const std::string& before,
                                       const std::string& after) {
  const auto old_tree = tree_of(odb, before);
  const auto new_tree = tree_of(odb, after);
  Comparison comparison{odb};
  comparison.compare("", old_tree ? &*old_tree : nullptr, new_tree ? &*new_tree : nullptr, 0);
  return std::move(comparison).take();
}

}  // namespace shadow::review
