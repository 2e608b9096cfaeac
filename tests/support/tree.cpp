// SPDX-License-Identifier: MIT
#include "support/tree.hpp"

#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "support/scratch.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"
#include "sys/files/xattr.hpp"
#include "sys/processes/process.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <tuple>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::test {

using shadow::throw_errno;
namespace sys = shadow::sys;

namespace {

constexpr mode_t kPermissionBits = 07777;
constexpr std::string_view kUser = "user.";

void check(int result, const std::string& what) {
  if (result != 0) {
    throw_errno(what);
  }
}

void make_parents(const std::string& root, const std::string& path) {
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const std::string parent = root + '/' + path.substr(0, slash);
    if (::mkdir(parent.c_str(), 0755) != 0 && errno != EEXIST) {
      throw_errno("make " + parent);
    }
  }
}

void make(const std::string& root, const std::string& path, const Item& item) {
  const std::string full = root + '/' + path;
  switch (item.kind) {
    case Kind::File:
      write_file(full, item.text);
      break;
    case Kind::Link:
      check(::symlink(item.text.c_str(), full.c_str()), "link " + full);
      return;
    case Kind::Directory:
      if (::mkdir(full.c_str(), 0755) != 0 && errno != EEXIST) {
        throw_errno("make " + full);
      }
      break;
    case Kind::Fifo:
      check(::mkfifo(full.c_str(), 0600), "make " + full);
      break;
    case Kind::Socket:
      check(::mknod(full.c_str(), S_IFSOCK | 0600, 0), "make " + full);
      break;
    case Kind::Hard:
      check(::link((root + '/' + item.text).c_str(), full.c_str()), "link " + full);
      return;
    case Kind::Whiteout:
      check(::mknod(full.c_str(), S_IFCHR, 0), "make " + full);
      return;
  }
  if (!item.xattrs.empty()) {
    const sys::Fd fd = sys::open_path(full, O_PATH | O_NOFOLLOW);
    for (const auto& [name, value] : item.xattrs) {
      sys::set_xattr(fd.get(), name, value);
    }
  }
}

Item of_kind(Kind kind, std::string text, mode_t mode) {
  Item item;
  item.kind = kind;
  item.text = std::move(text);
  item.mode = mode;
  return item;
}

const char* word(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return "file";
    case S_IFLNK:
      return "link";
    case S_IFDIR:
      return "directory";
    case S_IFIFO:
      return "fifo";
    case S_IFSOCK:
      return "socket";
    default:
      return "device";
  }
}

Node node_at(int dirfd, const std::string& name) {
  struct stat st {};
  check(::fstatat(dirfd, name.c_str(), &st, AT_SYMLINK_NOFOLLOW), "look at " + name);
  Node node;
  node.kind = word(st.st_mode);
  node.inode = st.st_ino;
  if (S_ISLNK(st.st_mode)) {
    node.target = sys::read_link_at(dirfd, name);
    return node;
  }
  node.mode = st.st_mode & kPermissionBits;
  const sys::Fd fd = sys::open_at(dirfd, name, O_PATH | O_NOFOLLOW);
  if (S_ISREG(st.st_mode)) {
    node.size = static_cast<std::uint64_t>(st.st_size);
    const sys::Fd readable = sys::open_at(dirfd, name, O_RDONLY | O_NOFOLLOW);
    node.hash = shadow::to_hex(shadow::hash_bytes(sys::read_all(readable.get())));
  }
  if (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) {
    for (const std::string& xattr : sys::list_xattrs(fd.get())) {
      if (xattr.starts_with(kUser)) {
        node.xattrs[xattr] = sys::get_xattr(fd.get(), xattr).value_or("?");
      }
    }
  }
  return node;
}

void read_into(Snapshot& tree, int dirfd, const std::string& prefix) {
  for (const sys::DirEntry& entry : sys::list_dir(dirfd)) {
    const std::string path = prefix + entry.name;
    const Node& node = tree.emplace(path, node_at(dirfd, entry.name)).first->second;
    if (node.kind == "directory") {
      const sys::Fd dir = sys::open_at(dirfd, entry.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      read_into(tree, dir.get(), path + '/');
    }
  }
}

auto compared(const Node& node) {
  return std::tie(node.kind, node.mode, node.size, node.hash, node.target, node.links, node.xattrs);
}

}  // namespace

Item Item::with(const std::string& name, const std::string& value) const {
  Item item = *this;
  item.xattrs.emplace_back(name, value);
  return item;
}

Item file(std::string text, mode_t mode) {
  return of_kind(Kind::File, std::move(text), mode);
}
Item link(std::string target) {
  return of_kind(Kind::Link, std::move(target), 0);
}
Item dir(mode_t mode) {
  return of_kind(Kind::Directory, {}, mode);
}
Item opaque(mode_t mode) {
  return dir(mode).with("user.overlay.opaque", "y");
}
Item fifo() {
  return of_kind(Kind::Fifo, {}, 0644);
}
Item sock() {
  return of_kind(Kind::Socket, {}, 0644);
}
Item hard(std::string to) {
  return of_kind(Kind::Hard, std::move(to), 0);
}
Item whiteout() {
  return of_kind(Kind::Whiteout, {}, 0);
}

void build(const std::string& root, const Tree& tree) {
  if (::mkdir(root.c_str(), 0755) != 0 && errno != EEXIST) {
    throw_errno("make " + root);
  }
  // Hard links last, for the names that they are made to; modes after that and from the end, so
  // that a directory may be read-only.
  for (const bool links : {false, true}) {
    for (const auto& [path, item] : tree) {
      if ((item.kind == Kind::Hard) == links) {
        make_parents(root, path);
        make(root, path, item);
      }
    }
  }
  for (auto item = tree.end(); item != tree.begin();) {
    --item;
    const Kind kind = item->second.kind;
    if (kind != Kind::Link && kind != Kind::Hard && kind != Kind::Whiteout) {
      const std::string full = root + '/' + item->first;
      check(::chmod(full.c_str(), item->second.mode), "chmod " + full);
    }
  }
}

Snapshot snapshot(const std::string& root) {
  Snapshot tree;
  read_into(tree, open_dir(root).get(), {});
  relink(tree);
  return tree;
}

void relink(Snapshot& tree) {
  std::map<std::uint64_t, std::vector<std::string>> names;
  for (auto& [path, node] : tree) {
    node.links.clear();
    if (node.kind == "file") {
      names[node.inode].push_back(path);
    }
  }
  for (const auto& [inode, paths] : names) {
    for (const std::string& path : paths) {
      if (paths.size() > 1) {
        tree[path].links = paths.front();
      }
    }
  }
}

std::string describe(const Node& node) {
  std::string text = node.kind;
  std::array<char, 16> mode{};
  (void)std::snprintf(mode.data(), mode.size(), " %04o", static_cast<unsigned>(node.mode));
  text += mode.data();
  if (node.kind == "file") {
    text += ' ' + std::to_string(node.size) + ' ' + node.hash.substr(0, 8);
  }
  if (!node.target.empty()) {
    text += " -> " + shadow::quoted(node.target);
  }
  if (!node.links.empty()) {
    text += " links to " + shadow::quoted(node.links);
  }
  for (const auto& [name, value] : node.xattrs) {
    text += ' ' + name + '=' + shadow::quoted(value);
  }
  return text;
}

std::string differences(const Snapshot& expected, const Snapshot& found) {
  std::string text;
  for (const auto& [path, node] : expected) {
    const auto other = found.find(path);
    if (other == found.end()) {
      text += shadow::quoted(path) + " is missing: " + describe(node) + '\n';
    } else if (compared(node) != compared(other->second)) {
      text += shadow::quoted(path) + ": " + describe(node) + " expected, " +
              describe(other->second) + " found\n";
    }
  }
  for (const auto& [path, node] : found) {
    if (expected.find(path) == expected.end()) {
      text += shadow::quoted(path) + " is too much: " + describe(node) + '\n';
    }
  }
  return text;
}

}  // namespace shadow::test
