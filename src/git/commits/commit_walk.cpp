// SPDX-License-Identifier: MIT
#include "git/commits/commit_walk.hpp"

#include "shadow/error.hpp"

#include "git/objects/tree_difference.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace shadow::git {
namespace {

constexpr unsigned kOurs = 1;    // reached from the commit that is asked about
constexpr unsigned kOthers = 2;  // reached from what it is compared with

}  // namespace

CommitWalk::CommitWalk(git_repository* repository, const std::vector<std::string>& shallow)
    : repository_{repository} {
  for (const std::string& id : shallow) {
    shallow_.insert(to_oid(id));
  }
}

CommitHandle CommitWalk::look_up(const git_oid& id) {
  return make<CommitHandle>("read a commit", git_commit_lookup, repository_, &id);
}

bool CommitWalk::has_commit(const git_oid& id) {
  git_commit* raw = nullptr;
  const bool found = git_commit_lookup(&raw, repository_, &id) == 0;
  const CommitHandle commit{raw};
  return found;
}

void CommitWalk::load_tag(const git_oid& id, Node& node) {
  git_tag* raw = nullptr;
  if (git_tag_lookup(&raw, repository_, &id) < 0) {
    return;
  }
  const Handle<git_tag, git_tag_free> tag{raw};
  node.readable = true;
  node.commit = false;
  node.time = INT64_MAX;
  if (git_tag_target_type(raw) == GIT_OBJECT_COMMIT || git_tag_target_type(raw) == GIT_OBJECT_TAG) {
    node.parents.push_back(*git_tag_target_id(raw));
  }
}

CommitWalk::Entry& CommitWalk::load(const git_oid& id) {
  const auto [entry, fresh] = nodes_.try_emplace(id);
  if (!fresh) {
    return *entry;
  }
  git_commit* raw = nullptr;
  if (git_commit_lookup(&raw, repository_, &id) < 0) {
    load_tag(id, entry->second);
    return *entry;
  }
  const CommitHandle commit{raw};
  Node& node = entry->second;
  node.readable = true;
  node.time = git_commit_time(raw);
  const bool shallow = shallow_.count(id) > 0;
  for (unsigned i = 0; i < git_commit_parentcount(raw); ++i) {
    const git_oid parent = *git_commit_parent_id(raw, i);
    // What is there all the same shows once the file that makes it shallow is gone. Somewhere below
    // it the history may end.
    if (shallow && !has_commit(parent)) {
      continue;
    }
    if (shallow) {
      shallow_.insert(parent);
    }
    node.parents.push_back(parent);
  }
  return *entry;
}

void CommitWalk::begin() {
  queue_ = {};
  open_ = 0;
  for (auto& [id, node] : nodes_) {
    node.marks = 0;
    node.queued = false;
  }
}

bool CommitWalk::is_open(const Node& node) const {
  return node.queued && (node.marks & settled_) != settled_;
}

void CommitWalk::mark(Entry& entry, unsigned marks) {
  Node& node = entry.second;
  if ((node.marks | marks) == node.marks) {
    return;
  }
  open_ -= is_open(node) ? 1U : 0U;
  node.marks |= marks;
  if (!node.queued) {
    // Also a second time: with clocks that go back a commit may be seen before its marks are known.
    node.queued = true;
    queue_.push(&entry);
  }
  open_ += is_open(node) ? 1U : 0U;
}

// The newest of the queue, with its marks given on to its parents.
CommitWalk::Entry& CommitWalk::take() {
  Entry& entry = *queue_.top();
  queue_.pop();
  Node& node = entry.second;
  open_ -= is_open(node) ? 1U : 0U;
  node.queued = false;
  if (!node.readable && (node.marks & kOthers) == 0) {
    throw Error{"cannot read a commit"};
  }
  for (const git_oid& parent : node.parents) {
    mark(load(parent), node.marks);
  }
  return entry;
}

bool CommitWalk::is_ancestor(const std::string& ancestor, const std::string& id) {
  begin();
  settled_ = kOurs | kOthers;
  Entry& target = load(to_oid(ancestor));
  mark(load(to_oid(id)), kOurs);
  mark(target, kOthers);
  while (open_ > 0 && (target.second.marks & kOurs) == 0) {
    take();
  }
  return (target.second.marks & kOurs) != 0;
}

Commit CommitWalk::describe(const git_oid& id) {
  const CommitHandle commit = look_up(id);
  Commit result;
  result.id = to_hex(id);
  const git_signature* author = git_commit_author(commit.get());
  if (author != nullptr) {
    result.author = std::string{author->name} + " <" + author->email + '>';
    result.time = author->when.time;
  }
  const char* summary = git_commit_summary(commit.get());
  result.subject = summary != nullptr ? summary : "";
  return result;
}

CommitWalk::News CommitWalk::news(const std::string& id, const std::vector<std::string>& known,
                                  std::size_t most) {
  begin();
  settled_ = kOthers;
  for (const std::string& one : known) {
    mark(load(to_oid(one)), kOthers);
  }
  mark(load(to_oid(id)), kOurs);
  News result;
  std::vector<const Entry*> found;
  while (open_ > 0) {
    const Entry& entry = take();
    if (entry.second.marks != kOurs || !entry.second.commit) {
      continue;
    }
    if (found.size() == most) {
      result.more = true;
      break;
    }
    found.push_back(&entry);
  }
  for (const Entry* entry : found) {
    if (entry->second.marks == kOurs) {
      result.commits.push_back(describe(entry->first));
    }
  }
  return result;
}

}  // namespace shadow::git
