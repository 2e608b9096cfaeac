// SPDX-License-Identifier: MIT
#include "support/trees.hpp"

#include "shadow/apply.hpp"
#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/format/look.hpp"
#include "promote/journal/attributes.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"
#include "sys/files/same_content.hpp"
#include "sys/files/xattr.hpp"

#include <set>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::test {
namespace {

struct Spot {
  sys::Fd parent;
  std::string name;
};

sys::Fd open_root(const std::string& root) {
  return sys::open_path(root, O_RDONLY | O_DIRECTORY);
}

Spot spot(const std::string& root, std::string_view path) {
  const sys::Fd top = open_root(root);
  const sys::SplitPath parts = sys::split_path(path);
  return {sys::make_dirs(top.get(), parts.parent, 0755), std::string{parts.name}};
}

void check(int result, std::string_view path) {
  if (result != 0) {
    throw_errno("set up " + quoted(path));
  }
}

void find_entries(int dir, const std::string& prefix, std::map<std::string, Entry>& found) {
  for (const sys::DirEntry& name : sys::list_dir_sorted(dir)) {
    const std::string path = sys::join_path(prefix, name.name);
    const Entry entry = overlay::look_at(dir, name.name);
    found.emplace(path, entry);
    if (entry.kind != EntryKind::Directory) {
      continue;
    }
    if ((entry.mode & 0500) == 0500 || ::geteuid() == 0) {
      const sys::Fd child = sys::open_at(dir, name.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      find_entries(child.get(), path, found);
    }
  }
}

std::map<std::string, Entry> entries(const std::string& root) {
  std::map<std::string, Entry> found;
  find_entries(open_root(root).get(), {}, found);
  return found;
}

bool same_bytes(int a, int b, const std::string& path) {
  const sys::Fd first = sys::open_beneath(a, path, O_RDONLY | O_NONBLOCK);
  const sys::Fd second = sys::open_beneath(b, path, O_RDONLY | O_NONBLOCK);
  return sys::same_content(first.get(), second.get());
}

Change change_of(const std::string& path, const Entry& before, const Entry& after) {
  Change change;
  change.path = path;
  change.before = before;
  change.after = after;
  if (!before.exists()) {
    change.kind = ChangeKind::Added;
  } else if (!after.exists()) {
    change.kind = ChangeKind::Deleted;
  } else {
    change.kind = before.kind == after.kind ? ChangeKind::Modified : ChangeKind::TypeChanged;
  }
  return change;
}

}  // namespace

void write_file(const std::string& root, std::string_view path, std::string_view bytes,
                unsigned mode) {
  const Spot at = spot(root, path);
  if (::faccessat(at.parent.get(), at.name.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
    check(::fchmodat(at.parent.get(), at.name.c_str(), 0600, 0), path);
  }
  const sys::Fd fd =
      sys::open_at(at.parent.get(), at.name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
  sys::write_all(fd.get(), bytes);
  check(::fchmod(fd.get(), mode), path);
}

void make_dir(const std::string& root, std::string_view path, unsigned mode) {
  const Spot at = spot(root, path);
  check(::mkdirat(at.parent.get(), at.name.c_str(), 0755), path);
  set_mode(root, path, mode);
}

void make_symlink(const std::string& root, std::string_view path, const std::string& target) {
  const Spot at = spot(root, path);
  check(::symlinkat(target.c_str(), at.parent.get(), at.name.c_str()), path);
}

void make_fifo(const std::string& root, std::string_view path) {
  const Spot at = spot(root, path);
  check(::mkfifoat(at.parent.get(), at.name.c_str(), 0640), path);
}

void make_socket(const std::string& root, std::string_view path) {
  const Spot at = spot(root, path);
  check(::mknodat(at.parent.get(), at.name.c_str(), S_IFSOCK | 0600, 0), path);
}

void make_hard_link(const std::string& root, std::string_view from, std::string_view to) {
  const Spot source = spot(root, from);
  const Spot at = spot(root, to);
  check(::linkat(source.parent.get(), source.name.c_str(), at.parent.get(), at.name.c_str(), 0),
        to);
}

void set_mode(const std::string& root, std::string_view path, unsigned mode) {
  const Spot at = spot(root, path);
  check(::fchmodat(at.parent.get(), at.name.c_str(), mode, 0), path);
}

void set_xattr(const std::string& root, std::string_view path, const std::string& name,
               const std::string& value) {
  sys::set_xattr(sys::open_beneath(open_root(root).get(), path, O_PATH).get(), name, value);
}

void remove(const std::string& root, std::string_view path) {
  const Spot at = spot(root, path);
  sys::remove_tree(at.parent.get(), at.name);
}

std::string read(const std::string& root, std::string_view path) {
  return sys::read_all(sys::open_beneath(open_root(root).get(), path, O_RDONLY).get());
}

Description describe(const std::string& root) {
  Description description;
  const sys::Fd top = open_root(root);
  for (const auto& [path, entry] : entries(root)) {
    std::string line = std::string{to_word(entry.kind)} + ' ' + std::to_string(entry.mode);
    if (entry.kind == EntryKind::Symlink) {
      line += ' ' + entry.target.str();
    } else if (entry.kind == EntryKind::File) {
      const sys::Fd fd = sys::try_open_beneath(top.get(), path, O_RDONLY);
      if (!fd && (entry.mode & 0400) != 0) {
        throw_errno("read " + quoted(path));
      }
      line += fd ? ' ' + sys::read_all(fd.get()) : std::string{" unreadable"};
    }
    if (entry.kind == EntryKind::File || entry.kind == EntryKind::Directory) {
      const sys::Fd node = sys::open_beneath(top.get(), path, O_PATH);
      for (const auto& [name, value] : promote::attributes_of(node.get())) {
        line += ' ';
        line += name;
        line += '=';
        line += value;
      }
    }
    description.emplace(path, line);
  }
  return description;
}

std::vector<Change> changes_between(const std::string& real, const std::string& wanted) {
  const std::map<std::string, Entry> before = entries(real);
  const std::map<std::string, Entry> after = entries(wanted);
  const Description before_text = describe(real);
  const Description after_text = describe(wanted);
  const sys::Fd real_fd = open_root(real);
  const sys::Fd wanted_fd = open_root(wanted);
  std::set<std::string> paths;
  for (const auto& [path, entry] : before) {
    paths.insert(path);
  }
  for (const auto& [path, entry] : after) {
    paths.insert(path);
  }
  std::map<std::uint64_t, std::string> first_name;
  std::vector<Change> changes;
  for (const std::string& path : paths) {
    const auto was = before.find(path);
    const auto is = after.find(path);
    const Entry old = was == before.end() ? Entry{} : was->second;
    const Entry now = is == after.end() ? Entry{} : is->second;
    std::string link;
    if (now.kind == EntryKind::File && now.nlink > 1) {
      const auto [first, fresh] = first_name.emplace(now.ino, path);
      link = fresh ? "" : first->second;
    }
    if (old.exists() && now.exists() && before_text.at(path) == after_text.at(path)) {
      continue;
    }
    Change change = change_of(path, old, now);
    change.link_to = link;
    if (change.kind == ChangeKind::Modified) {
      change.content_changed =
          old.target != now.target ||
          (old.kind == EntryKind::File && !same_bytes(real_fd.get(), wanted_fd.get(), path));
      change.mode_changed = old.mode != now.mode;
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

ApplyPlan plan_apply(const std::vector<Change>& changes) {
  ApplyPlan plan;
  for (const Change& change : changes) {
    add_steps(plan.steps, change);
  }
  order_steps(plan.steps);
  return plan;
}

}  // namespace shadow::test
