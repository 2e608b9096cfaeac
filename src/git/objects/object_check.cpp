// SPDX-License-Identifier: MIT
#include "git/objects/object_check.hpp"

#include "base/text.hpp"
#include "git/objects/tree_entry.hpp"
#include "git/objects/tree_names.hpp"

#include <fmt/format.h>

#include <initializer_list>

namespace shadow::git {
namespace {

// Takes the lines of an object's header one after the other.
class Lines {
 public:
  explicit Lines(std::string_view bytes) : rest_{bytes} {}

  // The rest of the next line when it begins with `word` and a blank.
  std::optional<std::string_view> take(std::string_view word) {
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos || !rest_.starts_with(word) || rest_[word.size()] != ' ') {
      return std::nullopt;
    }
    const std::string_view value = rest_.substr(word.size() + 1, end - word.size() - 1);
    rest_.remove_prefix(end + 1);
    return value;
  }

  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

CommitHeader commit_header(std::string_view bytes) {
  Lines lines{bytes};
  CommitHeader commit;
  commit.tree = lines.take("tree");
  while (const auto parent = lines.take("parent")) {
    commit.parents.emplace_back(*parent);
  }
  commit.author = lines.take("author");
  commit.second_author = lines.take("author").has_value();
  commit.committer = lines.take("committer");
  commit.rest = lines.rest();
  return commit;
}

TagHeader tag_header(std::string_view bytes) {
  Lines lines{bytes};
  TagHeader tag;
  tag.object = lines.take("object");
  tag.type = lines.take("type");
  tag.tag = lines.take("tag");
  tag.tagger = lines.take("tagger");
  tag.rest = lines.rest();
  return tag;
}

// Of an id that a rule has passed.
git_oid id_of(std::string_view text) {
  git_oid id{};
  git_oid_fromstrn(&id, text.data(), text.size());
  return id;
}

Checked broken(const RuleText& rule, std::string_view name = {}) {
  return {fmt::format(fmt::runtime(rule.fault), quoted(name)), rule.name, {}};
}

const RuleText* broken_identity(std::initializer_list<Identity> identities) {
  for (const Identity& identity : identities) {
    if (const RuleText* rule = first_broken(identity_rules(), identity)) {
      return rule;
    }
  }
  return nullptr;
}

Checked check_tree(std::string_view bytes) {
  const TreeBytes tree = read_tree(bytes);
  if (const RuleText* rule = first_broken(tree_rules(), tree)) {
    return broken(*rule);
  }
  Checked checked;
  for (const TreeRow& row : tree.rows) {
    if (const RuleText* rule = first_broken(tree_row_rules(), row)) {
      return broken(*rule, row.name);
    }
    if (row.mode != kModuleMode) {  // a commit of another repository
      checked.links.push_back({row.id, row.mode == kTreeMode ? GIT_OBJECT_TREE : GIT_OBJECT_BLOB,
                               row.mode != kTreeMode && is_dot_file(row.name, DotFile::Modules)});
    }
  }
  return checked;
}

Checked check_commit(std::string_view bytes) {
  const CommitHeader commit = commit_header(bytes);
  const RuleText* rule = first_broken(commit_rules(), commit);
  rule = rule != nullptr ? rule : broken_identity({*commit.author, *commit.committer});
  if (rule != nullptr) {
    return broken(*rule);
  }
  Checked checked;
  checked.links.push_back({id_of(*commit.tree), GIT_OBJECT_TREE, false});
  for (const std::string_view parent : commit.parents) {
    checked.links.push_back({id_of(parent), GIT_OBJECT_COMMIT, false});
  }
  return checked;
}

Checked check_tag(std::string_view bytes) {
  const TagHeader tag = tag_header(bytes);
  const RuleText* rule = first_broken(tag_rules(), tag);
  rule = rule != nullptr ? rule : broken_identity({*tag.tagger});
  if (rule != nullptr) {
    return broken(*rule);
  }
  const git_object_t type = git_object_string2type(std::string{*tag.type}.c_str());
  return {{}, {}, {{id_of(*tag.object), type, false}}};
}

}  // namespace

Checked check_object(git_object_t type, std::string_view bytes) {
  switch (type) {
    case GIT_OBJECT_COMMIT:
      return check_commit(bytes);
    case GIT_OBJECT_TREE:
      return check_tree(bytes);
    case GIT_OBJECT_TAG:
      return check_tag(bytes);
    default:
      return {};
  }
}

}  // namespace shadow::git
