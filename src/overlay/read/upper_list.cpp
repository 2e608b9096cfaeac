// SPDX-License-Identifier: MIT
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/scan.hpp"
#include "overlay/read/walk.hpp"
#include "sys/files/beneath.hpp"

#include <utility>

namespace shadow::overlay {
namespace {

UpperKind kind_of(int dirfd, const std::string& name, const Entry& entry) {
  if (entry.kind == EntryKind::Directory) {
    const sys::Fd node = sys::try_open_at(dirfd, name, O_PATH | O_NOFOLLOW);
    return node && is_opaque(node.get()) ? UpperKind::OpaqueDir : UpperKind::MergedDir;
  }
  return is_whiteout_at(dirfd, name, entry) ? UpperKind::Whiteout : UpperKind::Plain;
}

}  // namespace

void walk_upper(int upper, const std::function<void(UpperEntry)>& visit) {
  LevelStack stack{upper, -1};
  stack.push({}, LevelStack::In::Upper);
  std::string name;
  while (!stack.empty()) {
    if (!stack.take_name(name)) {
      stack.pop();
      continue;
    }
    const LayerDir& dir = stack.top().upper;
    UpperEntry found;
    if (dir.present) {
      found.entry = look_at(dir.dir.get(), name);
    }
    if (!found.entry.exists() || is_too_deep(stack.path(), name)) {
      continue;
    }
    found.kind = kind_of(dir.dir.get(), name, found.entry);
    found.path = sys::join_path(stack.path(), name);
    const bool directory = found.entry.kind == EntryKind::Directory;
    visit(std::move(found));
    if (directory) {
      stack.push(name, LevelStack::In::Upper);
    }
  }
}

std::vector<UpperEntry> list_upper(int upper) {
  std::vector<UpperEntry> entries;
  walk_upper(upper, [&entries](UpperEntry entry) { entries.push_back(std::move(entry)); });
  return entries;
}

}  // namespace shadow::overlay
