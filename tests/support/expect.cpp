// SPDX-License-Identifier: MIT
#include "support/expect.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "overlay/format/format.hpp"
#include "sys/files/beneath.hpp"

#include <set>

#include <fcntl.h>

namespace shadow::test {

using shadow::Change;
using shadow::ChangeKind;
using shadow::Entry;
using shadow::EntryKind;
using shadow::quoted;

namespace {

constexpr std::uint64_t kMuch = 1U << 26U;

Node node_of(const shadow::overlay::View& view, const std::string& path) {
  const Entry entry = view.look(path);
  Node node;
  node.kind = entry.kind == EntryKind::Symlink ? "link" : shadow::to_word(entry.kind);
  node.inode = entry.ino;
  if (entry.kind == EntryKind::Symlink) {
    node.target = entry.target;
    return node;
  }
  node.mode = entry.mode;
  if (entry.kind == EntryKind::File) {
    node.size = entry.size;
    node.hash = shadow::to_hex(shadow::hash_bytes(view.read(path, kMuch).value_or("unreadable")));
  }
  if (entry.kind == EntryKind::File || entry.kind == EntryKind::Directory) {
    const auto fd = view.open(path, O_PATH);
    for (auto& [name, value] : shadow::overlay::user_xattrs(fd.get())) {
      node.xattrs[name] = value;
    }
  }
  return node;
}

void read_into(Snapshot& tree, const shadow::overlay::View& view, const std::string& dir) {
  for (const std::string& name : view.list(dir)) {
    const std::string path = shadow::sys::join_path(dir, name);
    const Node& node = tree.emplace(path, node_of(view, path)).first->second;
    if (node.kind == "directory") {
      read_into(tree, view, path);
    }
  }
}

const Node* find(const Snapshot& tree, const std::string& path) {
  const auto found = tree.find(path);
  return found == tree.end() ? nullptr : &found->second;
}

struct Flags {
  bool content = false;
  bool mode = false;
  bool xattrs = false;
};

Flags flags_of(const Node& a, const Node& b) {
  return {a.hash != b.hash || a.size != b.size || a.target != b.target, a.mode != b.mode,
          a.xattrs != b.xattrs};
}

// "A", "D", "T", "Mcmx" or "" for no change.
std::string expected_of(const Node* lower, const Node* view) {
  if (lower == nullptr || view == nullptr) {
    return lower == nullptr ? "A" : "D";
  }
  if (lower->kind != view->kind) {
    return "T";
  }
  const Flags flags = flags_of(*lower, *view);
  std::string text;
  text += flags.content ? "c" : "";
  text += flags.mode ? "m" : "";
  text += flags.xattrs ? "x" : "";
  return text.empty() ? text : 'M' + text;
}

std::string found_of(const Change& change) {
  std::string text{shadow::to_letter(change.kind)};
  if (change.kind == ChangeKind::Modified) {
    text += change.content_changed ? "c" : "";
    text += change.mode_changed ? "m" : "";
    text += change.xattrs_changed ? "x" : "";
  }
  return text;
}

// The name that a change of this path is to be linked to.
std::string expected_link(const Snapshot& view, const std::string& path,
                          const std::set<std::string>& changed) {
  const Node* node = find(view, path);
  if (node == nullptr || node->links.empty()) {
    return {};
  }
  for (const bool of_changed : {false, true}) {
    for (const auto& [other, there] : view) {
      if (there.links == node->links && (changed.count(other) != 0) == of_changed) {
        return other == path ? std::string{} : other;
      }
    }
  }
  return {};
}

bool is_at_or_below(const std::string& path, const std::string& top) {
  return path == top ||
         (path.size() > top.size() && path[top.size()] == '/' && path.starts_with(top));
}

}  // namespace

Snapshot snapshot(const shadow::overlay::View& view) {
  Snapshot tree;
  read_into(tree, view, {});
  relink(tree);
  return tree;
}

std::string complaints(const shadow::ChangeSet& set, const Snapshot& lower, const Snapshot& view) {
  std::set<std::string> paths;
  for (const Snapshot* tree : {&lower, &view}) {
    for (const auto& [path, node] : *tree) {
      paths.insert(path);
    }
  }
  std::string text;
  std::set<std::string> changed;
  std::map<std::string, const Change*> found;
  for (const Change& change : set.changes) {
    changed.insert(change.path);
    if (!found.emplace(change.path, &change).second || found.rbegin()->first != change.path) {
      text += quoted(change.path) + " is there twice or out of order\n";
    }
    if (paths.count(change.path) == 0) {
      text += quoted(change.path) + " is in neither tree\n";
    }
  }
  for (const std::string& path : paths) {
    const auto change = found.find(path);
    const std::string said = change == found.end() ? std::string{} : found_of(*change->second);
    const std::string expected = expected_of(find(lower, path), find(view, path));
    if (said != expected) {
      text += quoted(path);
      text += ": '";
      text += expected;
      text += "' expected, '";
      text += said;
      text += "' found\n";
    }
    if (change != found.end() && change->second->link_to != expected_link(view, path, changed)) {
      text += quoted(path) + ": link to " + quoted(expected_link(view, path, changed)) +
              " expected, to " + quoted(change->second->link_to.str()) + " found\n";
    }
  }
  return text;
}

std::optional<Snapshot> after_drop(const Snapshot& view, const Snapshot& lower,
                                   const std::string& path) {
  Snapshot result;
  for (const auto& [other, node] : view) {
    if (!is_at_or_below(other, path)) {
      result.emplace(other, node);
    }
  }
  if (find(lower, path) != nullptr) {
    for (std::size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      const std::string parent = path.substr(0, slash);
      const Node* there = find(result, parent);
      if (there != nullptr && there->kind != "directory") {
        return std::nullopt;
      }
      if (there == nullptr) {
        result.emplace(parent, lower.at(parent));
      }
    }
  }
  for (const auto& [other, node] : lower) {
    if (is_at_or_below(other, path)) {
      result.emplace(other, node);
    }
  }
  relink(result);
  return result;
}

}  // namespace shadow::test
