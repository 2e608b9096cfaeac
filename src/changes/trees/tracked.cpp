// SPDX-License-Identifier: MIT
#include "changes/trees/tracked.hpp"

#include "base/text.hpp"
#include "git/objects/git_objects.hpp"
#include "git/objects/tree_entry.hpp"
#include "git/objects/tree_find.hpp"
#include "git/repository/git_refs.hpp"
#include "session/project/git_dir.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace shadow::changes {

namespace {

sensitive::GitMarks marks_in(const sensitive::MarksByDirectory& marks,
                             const std::string& directory) {
  const auto found = marks.find(directory);
  return found == marks.end() ? sensitive::GitMarks{} : found->second;
}

Entry link_to(const std::string& target) {
  Entry link;
  link.kind = EntryKind::Symlink;
  link.target = target;
  return link;
}

bool may_be_mark(std::string_view name) {
  sensitive::GitMarks marks;
  marks.add(name);
  return marks.any();
}

}  // namespace

void Tracked::read_index() {
  if (std::exchange(knows_index_, true)) {
    return;
  }
  const auto real = session::real_git_dir(root_);
  auto index = real ? git::read_index_file(real->dir + "/index") : std::nullopt;
  if (!index) {
    return;
  }
  for (git::IndexEntry& entry : index->entries) {
    sensitive::add_marks(marks_, entry.path);
    if (entry.mode == git::kLinkMode) {
      links_.push_back(std::move(entry));
    }
  }
}

sensitive::GitMarks Tracked::marks(const std::string& directory) {
  read_index();
  return marks_in(marks_, directory);
}

sensitive::GitMarks Tracked::committed_marks(const std::string& directory) {
  read_commit();
  return marks_in(committed_marks_, directory);
}

// All at once: they are read in a process of its own.
void Tracked::read_links() {
  if (!targets_.empty()) {
    return;
  }
  std::vector<git::WantedBlob> wanted;
  for (const git::IndexEntry& entry : links_) {
    wanted.push_back({hex_of(entry.id), entry.size});
  }
  const auto real = session::real_git_dir(root_);
  for (auto& text : git::read_blobs(real ? real->common + "/objects" : "", wanted)) {
    targets_.push_back(text ? *std::move(text) : "/");
  }
}

Entry Tracked::link(const std::string& path) {
  read_index();
  const auto found = std::lower_bound(
      links_.begin(), links_.end(), path,
      [](const git::IndexEntry& entry, const std::string& wanted) { return entry.path < wanted; });
  if (found == links_.end() || found->path != path) {
    return {};
  }
  read_links();
  return link_to(targets_[static_cast<std::size_t>(found - links_.begin())]);
}

void Tracked::read_commit() {
  if (std::exchange(knows_commit_, true)) {
    return;
  }
  const auto real = session::real_git_dir(root_);
  const std::string commit = real ? git::read_refs(git::disk_reader(real->dir)).head : "";
  if (commit.empty()) {
    return;
  }
  const auto wanted = [](std::string_view name, unsigned mode) {
    return mode == git::kLinkMode || may_be_mark(name);
  };
  for (git::TreeFind& one : git::find_in_commit(real->common + "/objects", commit, wanted)) {
    sensitive::add_marks(committed_marks_, one.path);
    if (one.mode == git::kLinkMode) {
      committed_links_.emplace(std::move(one.path), std::move(one.target));
    }
  }
}

Entry Tracked::committed_link(const std::string& path) {
  read_commit();
  const auto found = committed_links_.find(path);
  return found == committed_links_.end() ? Entry{} : link_to(found->second);
}

}  // namespace shadow::changes
