// SPDX-License-Identifier: MIT
#include "overlay/format.hpp"
#include "overlay/look.hpp"
#include "overlay/scan.hpp"
#include "overlay/walk.hpp"
#include "sys/beneath.hpp"

namespace shadow::overlay {
namespace {

UpperKind kind_of(const Level& level, const std::string& name, const Entry& entry) {
  if (is_whiteout(entry)) {
    return UpperKind::Whiteout;
  }
  if (entry.kind != EntryKind::Directory && !level.xattr_whiteouts) {
    return UpperKind::Plain;
  }
  const sys::Fd node = sys::try_open_at(level.upper.get(), name, O_PATH | O_NOFOLLOW);
  if (entry.kind == EntryKind::Directory) {
    return node && opacity(node.get()) == Opacity::Opaque ? UpperKind::OpaqueDir
                                                          : UpperKind::MergedDir;
  }
  return node && is_xattr_whiteout(entry, node.get()) ? UpperKind::Whiteout : UpperKind::Plain;
}

Level level_at(std::string path, const sys::Fd& node) {
  Level level;
  level.path = std::move(path);
  level.in_upper = true;
  level.xattr_whiteouts = node && opacity(node.get()) == Opacity::XattrWhiteouts;
  return level;
}

}  // namespace

std::vector<UpperEntry> list_upper(int upper) {
  std::vector<UpperEntry> entries;
  LevelStack stack{upper, -1};
  stack.push(level_at({}, sys::Fd{}));
  while (!stack.empty()) {
    Level& level = stack.top();
    if (level.names.empty() || !level.upper) {
      stack.pop();
      continue;
    }
    const std::string name = std::move(level.names.back());
    level.names.pop_back();
    UpperEntry found;
    found.entry = look_at(level.upper.get(), name);
    if (!found.entry.exists()) {
      continue;
    }
    found.kind = kind_of(level, name, found.entry);
    found.path = sys::join_path(level.path, name);
    entries.push_back(found);
    if (found.entry.kind == EntryKind::Directory) {
      const sys::Fd node = sys::try_open_at(level.upper.get(), name, O_PATH | O_NOFOLLOW);
      stack.push(level_at(found.path, node));
    }
  }
  return entries;
}

}  // namespace shadow::overlay
