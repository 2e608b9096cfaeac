// SPDX-License-Identifier: MIT
#include "git/objects/tree_difference.hpp"

#include "shadow/error.hpp"

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "git/objects/object_check.hpp"
#include "git/objects/tree_entry.hpp"
#include "git/objects/tree_rows.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace shadow::git {
namespace {

constexpr int kDeepestTree = 512;
constexpr std::size_t kMostDifferences = 1'000'000;
// Read for one commit, its parents together. git writes no empty tree into another one: in what it
// made there is a difference in each.
constexpr std::size_t kMostTrees = 300'000;

using Rows = std::map<std::string, TreeRow>;

class Comparison {
 public:
  // `read` counts the trees.
  Comparison(git_odb* odb, std::size_t& read) : odb_{odb}, read_{read} {}

  void compare(const std::string& path, const git_oid* before, const git_oid* after, int depth) {
    if (depth > kDeepestTree) {
      throw Error{"cannot compare trees: too deep"};
    }
    Rows old_rows = rows_of(before);
    const Rows new_rows = rows_of(after);
    if (is_git_directory(new_rows)) {
      git_directories_.push_back(path);
    }
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

  // The directories whose trees after the change git takes for git directories.
  [[nodiscard]] const std::vector<std::string>& git_directories() const { return git_directories_; }

  std::vector<TreeDifference> take() && {
    std::sort(found_.begin(), found_.end(),
              [](const TreeDifference& a, const TreeDifference& b) { return a.path < b.path; });
    return std::move(found_);
  }

 private:
  // The rule of git's setup.c, for a filesystem that may fold case.
  static bool is_git_directory(const Rows& rows) {
    const auto has = [&rows](std::string_view wanted) {
      return std::any_of(rows.begin(), rows.end(),
                         [wanted](const auto& row) { return lower_ascii(row.first) == wanted; });
    };
    return has("head") && ((has("objects") && has("refs")) || has("commondir"));
  }

  Rows rows_of(const git_oid* tree) {
    Rows rows;
    if (tree == nullptr) {
      return rows;
    }
    if (++read_ > kMostTrees) {
      throw Error{"cannot compare trees: too many directories"};
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
  std::size_t& read_;
  std::vector<TreeDifference> found_;
  std::vector<std::string> git_directories_;
};

// The tree, then the parents.
std::vector<git_oid> links_of(git_odb* odb, const std::string& commit) {
  const ObjectHandle object = read_object(odb, to_oid(commit));
  const Checked checked = check_object(GIT_OBJECT_COMMIT, bytes_of(object));
  if (git_odb_object_type(object.get()) != GIT_OBJECT_COMMIT || checked.links.empty()) {
    throw Error{"cannot read a commit"};
  }
  std::vector<git_oid> ids;
  for (const Link& link : checked.links) {
    ids.push_back(link.id);
  }
  return ids;
}

std::optional<git_oid> tree_of(git_odb* odb, const std::string& commit) {
  if (commit.empty()) {
    return std::nullopt;
  }
  return links_of(odb, commit).front();
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
  std::size_t read = 0;
  Comparison comparison{odb, read};
  comparison.compare("", old_tree ? &*old_tree : nullptr, new_tree ? &*new_tree : nullptr, 0);
  return std::move(comparison).take();
}

CommitDifferences changes_of_commit(git_odb* odb, const std::string& id) {
  std::vector<git_oid> links = links_of(odb, id);
  const git_oid tree = links.front();
  links.erase(links.begin());
  // A parent that is named again, or has the same tree as another, adds nothing.
  std::vector<std::optional<git_oid>> before;
  std::set<std::string> seen;
  for (const git_oid& parent : links) {
    const std::string name = to_hex(parent);
    if (!seen.insert(name).second) {
      continue;
    }
    const std::optional<git_oid> old_tree = tree_of(odb, name);
    if (seen.insert(to_hex(*old_tree)).second) {
      before.push_back(old_tree);
    }
  }
  if (before.empty()) {
    before.emplace_back(std::nullopt);
  }
  CommitDifferences found{{}, before.size()};
  std::size_t read = 0;
  for (const auto& old_tree : before) {
    Comparison comparison{odb, read};
    comparison.compare("", old_tree ? &*old_tree : nullptr, &tree, 0);
    const std::vector<std::string> directories = comparison.git_directories();
    for (TreeDifference& row : std::move(comparison).take()) {
      const bool inside = std::any_of(
          directories.begin(), directories.end(),
          [&row](const std::string& directory) { return is_at_or_below(row.path, directory); });
      found.rows.push_back({std::move(row), inside});
    }
  }
  return found;
}

void put(WireWriter& out, const TreeDifference& row) {
  out.text(row.path);
  out.number(row.before_mode);
  out.text(row.before_id);
  out.number(row.after_mode);
  out.text(row.after_id);
}

TreeDifference take_difference(WireReader& in) {
  TreeDifference row;
  row.path = in.text();
  row.before_mode = static_cast<unsigned>(in.number());
  row.before_id = in.text();
  row.after_mode = static_cast<unsigned>(in.number());
  row.after_id = in.text();
  return row;
}

}  // namespace shadow::git
