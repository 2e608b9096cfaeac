// SPDX-License-Identifier: MIT
// Questions about the history of commits, over any object database. Not by git_revwalk, which fails
// at the first commit that is missing: histories may be shallow, and a run may have removed a part.

#pragma once

#include "shadow/commits.hpp"

#include "git/repository/handle.hpp"

#include <map>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <vector>

namespace shadow::git {

struct OidLess {
  bool operator()(const git_oid& a, const git_oid& b) const { return git_oid_cmp(&a, &b) < 0; }
};

class CommitWalk {
 public:
  // `shallow`: commits whose parents were never fetched, and need not be there.
  CommitWalk(git_repository* repository, const std::vector<std::string>& shallow);

  // True if `ancestor` can be reached from `id`. Throws Error when `id`'s history cannot be read.
  bool is_ancestor(const std::string& ancestor, const std::string& id);

  struct News {
    std::vector<Commit> commits;
    bool more = false;
  };
  // The commits that `id` has and none of `known` has, newest first. Throws Error when one of them
  // cannot be read.
  News news(const std::string& id, const std::vector<std::string>& known, std::size_t most);

 private:
  struct Node {
    std::int64_t time = 0;
    bool readable = false;
    bool commit = true;  // else a tag, whose object takes the place of a parent
    std::vector<git_oid> parents;
    unsigned marks = 0;
    bool queued = false;
  };
  using Nodes = std::map<git_oid, Node, OidLess>;
  using Entry = Nodes::value_type;
  struct Older {
    bool operator()(const Entry* a, const Entry* b) const {
      return a->second.time < b->second.time;
    }
  };

  CommitHandle look_up(const git_oid& id);
  bool has_commit(const git_oid& id);
  void load_tag(const git_oid& id, Node& node);
  Entry& load(const git_oid& id);
  void begin();
  void mark(Entry& entry, unsigned marks);
  Entry& take();
  [[nodiscard]] bool is_open(const Node& node) const;
  Commit describe(const git_oid& id);

  git_repository* repository_;
  std::set<git_oid, OidLess> shallow_;
  Nodes nodes_;
  std::priority_queue<Entry*, std::vector<Entry*>, Older> queue_;
  // The marks that decide nothing any more, and how many others are in the queue.
  unsigned settled_ = 0;
  std::size_t open_ = 0;
};

}  // namespace shadow::git
