// SPDX-License-Identifier: MIT
#include "overlay/scan.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format.hpp"
#include "overlay/links.hpp"
#include "overlay/look.hpp"
#include "overlay/walk.hpp"
#include "sys/beneath.hpp"

#include <algorithm>
#include <cerrno>

namespace shadow::overlay {
namespace {

bool has_content(EntryKind kind) {
  return kind == EntryKind::File;
}

class Scan {
 public:
  Scan(int upper, int lower, const ScanOptions& options)
      : options_{options}, stack_{upper, lower} {}

  ChangeSet run() {
    Level root;
    root.in_upper = true;
    root.in_lower = true;
    stack_.push(std::move(root));
    while (!stack_.empty()) {
      Level& level = stack_.top();
      if (level.names.empty()) {
        stack_.pop();
        continue;
      }
      const std::string name = std::move(level.names.back());
      level.names.pop_back();
      visit(level, name);
    }
    std::sort(set_.changes.begin(), set_.changes.end(),
              [](const Change& a, const Change& b) { return a.path < b.path; });
    links_.resolve(set_);
    return std::move(set_);
  }

 private:
  // One name: what the upper says of it, what the real tree has.
  void visit(const Level& level, const std::string& name) {
    std::string path = sys::join_path(level.path, name);
    Entry above = level.upper ? look_at(level.upper.get(), name) : Entry{};
    Entry below = level.lower ? look_at(level.lower.get(), name) : Entry{};
    const bool named_above = above.exists();
    if (named_above && whites_out(level, name, above)) {
      above = {};
    } else if (!named_above && !level.opaque && level.in_upper) {
      return;  // vanished while it was looked at: the lower shows through
    }
    const bool directory = above.kind == EntryKind::Directory || below.kind == EntryKind::Directory;
    if (options_.wanted && !options_.wanted(path, directory)) {
      return;
    }
    if (!above.exists()) {
      deleted(level, std::move(path), std::move(below));
    } else if (!below.exists()) {
      added(level, std::move(path), std::move(above));
    } else if (above.kind != below.kind) {
      type_changed(level, std::move(path), std::move(above), std::move(below));
    } else {
      compared(level, name, std::move(path), std::move(above), std::move(below));
    }
  }

  static bool whites_out(const Level& level, const std::string& name, const Entry& above) {
    if (is_whiteout(above)) {
      return true;
    }
    if (!level.xattr_whiteouts || above.kind != EntryKind::File || above.size != 0) {
      return false;
    }
    const sys::Fd node = sys::try_open_at(level.upper.get(), name, O_PATH | O_NOFOLLOW);
    return node && is_xattr_whiteout(above, node.get());
  }

  void emit(std::string path, ChangeKind kind, Entry before, Entry after) {
    Change change;
    change.path = std::move(path);
    change.kind = kind;
    change.before = std::move(before);
    change.after = std::move(after);
    change.content_changed = true;
    change.mode_changed = change.before.mode != change.after.mode;
    set_.changes.push_back(std::move(change));
  }

  void deleted(const Level& level, std::string path, Entry below) {
    if (!below.exists()) {
      return;  // a whiteout over nothing
    }
    const bool directory = below.kind == EntryKind::Directory;
    emit(path, ChangeKind::Deleted, std::move(below), {});
    if (directory) {
      Level next;
      next.path = std::move(path);
      next.in_lower = level.in_lower;
      stack_.push(std::move(next));
    }
  }

  void added(const Level& level, std::string path, Entry above) {
    const bool directory = above.kind == EntryKind::Directory;
    links_.note(path, above, LinkedPath::Changed);
    emit(path, ChangeKind::Added, {}, std::move(above));
    if (directory) {
      descend_upper(level, std::move(path));
    }
  }

  void type_changed(const Level& level, std::string path, Entry above, Entry below) {
    const bool now_directory = above.kind == EntryKind::Directory;
    const bool was_directory = below.kind == EntryKind::Directory;
    links_.note(path, above, LinkedPath::Changed);
    emit(path, ChangeKind::TypeChanged, std::move(below), std::move(above));
    if (now_directory) {
      descend_upper(level, std::move(path));
    } else if (was_directory) {
      Level next;
      next.path = std::move(path);
      next.in_lower = true;
      stack_.push(std::move(next));
    }
  }

  // A directory of the upper without one in the lower.
  void descend_upper(const Level& level, std::string path) {
    Level next;
    next.in_upper = true;
    next.xattr_whiteouts = xattr_whiteouts(level, path);
    next.path = std::move(path);
    stack_.push(std::move(next));
  }

  static bool xattr_whiteouts(const Level& level, const std::string& path) {
    const std::string name{sys::split_path(path).name};
    const sys::Fd node = sys::try_open_at(level.upper.get(), name, O_PATH | O_NOFOLLOW);
    return node && opacity(node.get()) == Opacity::XattrWhiteouts;
  }

  void compared(const Level& level, const std::string& name, std::string path, Entry above,
                Entry below) {
    const sys::Fd node = sys::try_open_at(level.upper.get(), name, O_PATH | O_NOFOLLOW);
    const sys::Fd real = sys::try_open_at(level.lower.get(), name, O_PATH | O_NOFOLLOW);
    if (!node || !real) {
      return;  // one of them is gone by now; the next scan says so
    }
    Change change;
    change.kind = ChangeKind::Modified;
    change.mode_changed = above.kind != EntryKind::Symlink && above.mode != below.mode;
    change.content_changed = content_differs(level, name, above, below);
    change.xattrs_changed =
        above.kind != EntryKind::Symlink &&
        user_xattrs(node.get(), Side::Upper) != user_xattrs(real.get(), Side::Lower);
    const bool differs = change.mode_changed || change.content_changed || change.xattrs_changed;
    links_.note(path, above, differs ? LinkedPath::Changed : LinkedPath::Same);
    const bool directory = above.kind == EntryKind::Directory;
    if (differs) {
      change.path = path;
      change.before = std::move(below);
      change.after = std::move(above);
      set_.changes.push_back(std::move(change));
    }
    if (directory) {
      const Opacity how = opacity(node.get());
      Level next;
      next.path = std::move(path);
      next.in_upper = true;
      next.in_lower = true;
      // Below an opaque directory nothing of the lower shows, however deep.
      next.opaque = level.opaque || how == Opacity::Opaque;
      next.xattr_whiteouts = how == Opacity::XattrWhiteouts;
      stack_.push(std::move(next));
    }
  }

  static bool content_differs(const Level& level, const std::string& name, const Entry& above,
                              const Entry& below) {
    if (above.kind == EntryKind::Symlink) {
      return above.target != below.target;
    }
    if (above.kind == EntryKind::Device) {
      return above.rdev != below.rdev;
    }
    if (!has_content(above.kind)) {
      return false;
    }
    if (above.size != below.size) {
      return true;
    }
    if (above.size == 0) {
      return false;
    }
    const sys::Fd a = open_file(level.upper, name);
    const sys::Fd b = open_file(level.lower, name);
    return !a || !b || !same_content(a.get(), b.get());
  }

  // O_NONBLOCK: what was a regular file a moment ago may be a FIFO now.
  static sys::Fd open_file(const sys::Fd& dir, const std::string& name) {
    sys::Fd file = sys::try_open_at(dir.get(), name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!file && errno != ENOENT && errno != ELOOP && errno != EACCES) {
      throw_errno("open " + quoted(name));
    }
    return file;
  }

  const ScanOptions& options_;
  LevelStack stack_;
  ChangeSet set_;
  HardLinks links_;
};

}  // namespace

ChangeSet scan(int upper, int lower, const ScanOptions& options) {
  return Scan{upper, lower, options}.run();
}

}  // namespace shadow::overlay
