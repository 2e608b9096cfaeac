// SPDX-License-Identifier: MIT
#include "overlay/read/scan.hpp"

#include "shadow/error.hpp"

#include "base/posix_acl.hpp"
#include "base/text.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/compare.hpp"
#include "overlay/read/links.hpp"
#include "overlay/read/walk.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/xattr.hpp"
#include "sys/namespaces/acl.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>

namespace shadow::overlay {
namespace {

using In = LevelStack::In;

constexpr std::uint32_t kOfOthers = S_IRWXG | S_IRWXO;

// What is made in a directory gets of rights.
struct LevelRights {
  std::uint32_t withheld = 0;  // rights of others that new files do not get
  // The default ACL of the upper's directory, once it was asked for.
  std::optional<std::optional<std::string>> handed_down;
};

class Scan {
 public:
  Scan(int upper, int lower, const Wanted& wanted) : wanted_{wanted}, stack_{upper, lower} {}

  ChangeSet run() {
    push({}, In::Both);
    std::string name;
    while (!stack_.empty()) {
      if (stack_.take_name(name)) {
        visit_patiently(name);
      } else {
        stack_.pop();
        rights_.pop_back();
      }
    }
    sort_by_path();
    links_.resolve(set_);
    return std::move(set_);
  }

 private:
  // A new directory has its default ACL from the one that it is in.
  void push(const std::string& name, In in, bool opaque = false) {
    stack_.push(name, in, opaque);
    const LayerDir& real = stack_.top().lower;
    const auto acl = real.present ? sys::get_xattr(real.dir.get(), sys::kDefaultAcl) : std::nullopt;
    const std::uint32_t above = rights_.empty() ? umask_ & kOfOthers : rights_.back().withheld;
    rights_.push_back({acl            ? kOfOthers & ~rights_of_others(*acl)
                       : real.present ? umask_ & kOfOthers
                                      : above,
                       std::nullopt});
  }

  void sort_by_path() {
    const auto before = [](const Change& a, const Change& b) { return a.path < b.path; };
    // The walk's own order is this one, but for names like "a" and "a-" beside each other.
    if (!std::is_sorted(set_.changes.begin(), set_.changes.end(), before)) {
      std::sort(set_.changes.begin(), set_.changes.end(), before);
    }
  }

  // While a run is live its files may change under the comparison; a file that is written all the
  // time has to be reported as such in the end.
  void visit_patiently(const std::string& name) {
    constexpr int kTries = 20;
    for (int tries = 1;; ++tries) {
      try {
        visit(name);
        return;
      } catch (const StaleError&) {
        if (tries == kTries) {
          throw;
        }
      }
    }
  }

  // One name: what the upper says of it, what the real tree has.
  void visit(const std::string& name) {
    const Level& level = stack_.top();
    Entry above = look_in(level.upper, name);
    Entry below = look_in(level.lower, name);
    if (!above.exists() && level.upper.present && !level.opaque) {
      return;  // vanished while it was looked at: the lower shows through
    }
    const bool whiteout = above.exists() && is_whiteout_at(level.upper.dir.get(), name, above);
    if (whiteout) {
      above = {};
    }
    if (!above.exists() && !below.exists()) {
      if (whiteout) {
        note_gone(name);
      }
      return;
    }
    if (is_too_deep(stack_.path(), name)) {
      note_too_deep();
      return;
    }
    std::string path = sys::join_path(stack_.path(), name);
    const bool directory = above.kind == EntryKind::Directory || below.kind == EntryKind::Directory;
    if (wanted_ && !wanted_(path, directory)) {
      return;
    }
    const bool was_directory = below.kind == EntryKind::Directory;
    const bool is_directory = above.kind == EntryKind::Directory;
    if (above.kind == below.kind) {
      compared(name, std::move(path), std::move(above), std::move(below));
      return;
    }
    emit(std::move(path), std::move(below), std::move(above));
    if (is_directory) {
      push(name, In::Upper);
    } else if (was_directory) {
      push(name, In::Lower);
    }
  }

  void note_gone(const std::string& name) {
    std::string path = sys::join_path(stack_.path(), name);
    if (!is_too_deep(stack_.path(), name) && (!wanted_ || wanted_(path, false))) {
      set_.gone.push_back(std::move(path));
    }
  }

  // In a directory that the session deleted it would go unlisted.
  void note_too_deep() {
    const Level& level = stack_.top();
    const std::string& path = stack_.path();
    if (level.opaque || !level.upper.present) {
      constexpr std::size_t kShown = 80;
      throw Error{"cannot look into " + quoted(path.substr(0, kShown)) +
                      " and so on, which the session deletes: it is nested too deeply",
                  "discard " + quoted(path.substr(0, path.find('/')))};
    }
    if (set_.too_deep.names++ == 0) {
      set_.too_deep.first = path;
    }
  }

  static Entry look_in(const LayerDir& side, const std::string& name) {
    return side.present ? look_at(side.dir.get(), name) : Entry{};
  }

  // A change between entries of different kinds, one of which may be Absent.
  void emit(std::string path, Entry before, Entry after) {
    Change change;
    change.kind = !after.exists()    ? ChangeKind::Deleted
                  : !before.exists() ? ChangeKind::Added
                                     : ChangeKind::TypeChanged;
    links_.note(path, after, LinkedPath::Changed);
    change.path = std::move(path);
    change.before = std::move(before);
    change.after = std::move(after);
    change.content_changed = true;
    change.mode_changed = change.before.mode != change.after.mode;
    change.left_bits = bits_left(change);
    if (change.after.exists() && change.after.kind != EntryKind::Symlink) {
      change.beyond_umask = change.after.mode & rights_.back().withheld;
    }
    if (change.after.kind == EntryKind::File || change.after.kind == EntryKind::Directory) {
      look_at_rights(change);
    }
    set_.changes.push_back(std::move(change));
  }

  // A setgid bit that a directory has from the one that it is in, it will have in the project too.
  [[nodiscard]] std::uint32_t bits_left(const Change& change) const {
    const std::uint32_t gained = gained_bits(change.after, change.before);
    const bool handed_down = change.after.kind == EntryKind::Directory && gained != 0 &&
                             (look_fd(stack_.top().upper.dir.get()).mode & S_ISGID) != 0;
    return handed_down ? gained & ~std::uint32_t{S_ISGID} : gained;
  }

  // For a new entry. An ACL that the directory gives to all that is made in it is no change. A
  // default ACL of its own is, and so is none: it says what everything gets that is made there
  // later.
  void look_at_rights(Change& change) {
    const int dir = stack_.top().upper.dir.get();
    const std::string name{sys::split_path(change.path).name};
    if (!rights_.back().handed_down) {
      rights_.back().handed_down = sys::get_xattr(dir, sys::kDefaultAcl);
    }
    const std::optional<std::string>& handed_down = *rights_.back().handed_down;
    if (handed_down && change.after.kind == EntryKind::Directory) {
      const sys::Fd made = sys::try_open_at(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      change.acl_changed = made && sys::get_xattr(made.get(), sys::kDefaultAcl) != handed_down;
    }
    for (const std::string& attribute : sys::list_xattrs_at(dir, name)) {
      const bool acl = attribute == sys::kAccessAcl || attribute == sys::kDefaultAcl;
      const bool of_user =
          attribute.starts_with(kUserAttributes) && !attribute.starts_with(kOwnAttributes);
      change.left_capabilities = change.left_capabilities || attribute == kCapability;
      change.copied_up = change.copied_up || is_origin(attribute);
      change.acl_changed = change.acl_changed || (acl && !handed_down);
      change.xattrs_changed = change.xattrs_changed || of_user;
      change.has_attributes = change.has_attributes || acl || of_user;
    }
  }

  void compared(const std::string& name, std::string path, Entry above, Entry below) {
    const Level& level = stack_.top();
    const int upper_dir = level.upper.dir.get();
    const int lower_dir = level.lower.dir.get();
    const Difference difference = compare({upper_dir, lower_dir, name, path, above, below});
    links_.note(path, above, difference.any() ? LinkedPath::Changed : LinkedPath::Same);
    const bool directory = above.kind == EntryKind::Directory;
    if (difference.any()) {
      Change change;
      change.path = std::move(path);
      change.kind = ChangeKind::Modified;
      change.before = std::move(below);
      change.after = std::move(above);
      change.content_changed = difference.content;
      change.mode_changed = difference.mode;
      change.xattrs_changed = difference.xattrs;
      change.has_attributes = difference.has_attributes;
      change.copied_up = difference.copied_up;
      change.acl_changed = difference.acls;
      change.left_bits = bits_left(change);
      change.left_capabilities = difference.capabilities;
      set_.changes.push_back(std::move(change));
    }
    if (directory) {
      // Below an opaque directory nothing of the lower shows, however deep.
      const bool opaque = level.opaque || is_opaque_dir(upper_dir, name);
      push(name, In::Both, opaque);
    }
  }

  static bool is_opaque_dir(int dirfd, const std::string& name) {
    const sys::Fd node = sys::try_open_at(dirfd, name, O_PATH | O_NOFOLLOW);
    return node && is_opaque(node.get());
  }

  const Wanted& wanted_;
  LevelStack stack_;
  ChangeSet set_;
  HardLinks links_;
  std::uint32_t umask_ = sys::own_umask();
  std::vector<LevelRights> rights_;  // by level
};

}  // namespace

ChangeSet scan(int upper, int lower, const Wanted& wanted) {
  return Scan{upper, lower, wanted}.run();
}

}  // namespace shadow::overlay
