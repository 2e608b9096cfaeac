// SPDX-License-Identifier: MIT
#include "changes/tracked.hpp"

#include "base/text.hpp"
#include "git/objects/git_objects.hpp"
#include "git/objects/tree_entry.hpp"
#include "session/project/git_dir.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace shadow::changes {

void Tracked::read() {
  if (std::exchange(known_, true)) {
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
  read();
  const auto found = marks_.find(directory);
  return found == marks_.end() ? sensitive::GitMarks{} : found->second;
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
  read();
  const auto found = std::lower_bound(
      links_.begin(), links_.end(), path,
      [](const git::IndexEntry& entry, const std::string& wanted) { return entry.path < wanted; });
  Entry link;
  if (found != links_.end() && found->path == path) {
    read_links();
    link.kind = EntryKind::Symlink;
    link.target = targets_[static_cast<std::size_t>(found - links_.begin())];
  }
  return link;
}

}  // namespace shadow::changes
