// SPDX-License-Identifier: MIT
// The file: a line with a title, one with the number of files left out, the number of unknown paths
// and these paths, the number of directories, their paths and modes, the entries, and 32
// hexadecimal digits of the hash of everything before. Numbers and texts are as in base/wire; the
// path of an entry or a directory begins with the number of bytes that it shares with the one
// before.
#include "bases/tree/base_tree.hpp"

#include "base/hash.hpp"
#include "base/wire.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/fd.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::bases {
namespace {

constexpr std::string_view kTitle = "shadow base tree 3\nleft out ";
// Without directories.
constexpr std::string_view kSecondTitle = "shadow base tree 2\nleft out ";
// The title of version 0.1, without unknown and ignored paths, too.
constexpr std::string_view kOldTitle = "shadow base tree 1\nleft out ";
constexpr std::size_t kDigest = 32;
constexpr std::uint64_t kMostOfTree = std::uint64_t{1} << 30U;

void put_path(WireWriter& out, std::string_view path, std::string_view before) {
  const auto differs = std::mismatch(path.begin(), path.end(), before.begin(), before.end());
  const auto same = static_cast<std::size_t>(differs.first - path.begin());
  out.number(same);
  out.text(path.substr(same));
}

bool get_path(WireReader& in, std::string& path, std::string_view before) {
  const std::uint64_t same = in.number();
  if (same > before.size()) {
    return false;
  }
  path = before.substr(0, same);
  path += in.view();
  return in.ok();
}

void put(WireWriter& out, const TreeEntry& entry, std::string_view before) {
  put_path(out, entry.path, before);
  const Entry& facts = entry.entry;
  out.number(static_cast<std::uint64_t>(facts.kind));
  out.number(facts.mode);
  out.number(facts.size);
  out.number(facts.ino);
  out.number(static_cast<std::uint64_t>(facts.mtime_ns));
  out.number(static_cast<std::uint64_t>(facts.ctime_ns));
  out.text(facts.target.str());
  out.text(entry.blob);
  out.text(entry.git_id);
}

bool get(WireReader& in, TreeEntry& entry, const std::string& before) {
  if (!get_path(in, entry.path, before)) {
    return false;
  }
  Entry& facts = entry.entry;
  const std::uint64_t kind = in.number();
  facts.kind = static_cast<EntryKind>(kind);
  facts.mode = static_cast<std::uint32_t>(in.number());
  facts.size = in.number();
  facts.ino = in.number();
  facts.mtime_ns = static_cast<std::int64_t>(in.number());
  facts.ctime_ns = static_cast<std::int64_t>(in.number());
  facts.target = in.view();
  entry.blob = in.text();
  entry.git_id = in.text();
  return in.ok() && (facts.kind == EntryKind::File || facts.kind == EntryKind::Symlink);
}

// The part after the title, and the number in the title's line.
struct Opened {
  std::string_view body;
  std::uint64_t left_out = 0;
  bool has_unknown = false;
  bool has_directories = false;
};

std::optional<Opened> open_title(std::string_view bytes) {
  Opened opened;
  opened.has_directories = bytes.starts_with(kTitle);
  opened.has_unknown = opened.has_directories || bytes.starts_with(kSecondTitle);
  if (!opened.has_unknown && !bytes.starts_with(kOldTitle)) {
    return std::nullopt;
  }
  bytes.remove_prefix(kTitle.size());
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos ||
      std::from_chars(bytes.data(), bytes.data() + end, opened.left_out).ptr !=
          bytes.data() + end) {
    return std::nullopt;
  }
  opened.body = bytes.substr(end + 1);
  return opened;
}

bool get_unknown(WireReader& in, BaseTree& tree) {
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    tree.unknown.emplace_back(in.text());
  }
  return in.ok();
}

bool get_directories(WireReader& in, BaseTree& tree) {
  std::string before;
  for (std::uint64_t left = in.number(); left > 0 && in.ok(); --left) {
    TreeDirectory directory;
    if (!get_path(in, directory.path, before)) {
      return false;
    }
    directory.mode = static_cast<std::uint32_t>(in.number());
    before = directory.path;
    tree.directories.push_back(std::move(directory));
  }
  return in.ok();
}

}  // namespace

const TreeEntry* BaseTree::find(std::string_view path) const {
  const auto found =
      std::lower_bound(entries.begin(), entries.end(), path,
                       [](const TreeEntry& entry, std::string_view p) { return entry.path < p; });
  return found != entries.end() && found->path == path ? &*found : nullptr;
}

std::span<const TreeEntry> BaseTree::below(std::string_view directory) const {
  const auto first_from = [this](const std::string& path) {
    return std::lower_bound(
        entries.begin(), entries.end(), path,
        [](const TreeEntry& entry, const std::string& p) { return entry.path < p; });
  };
  static_assert('0' == '/' + 1);
  return {first_from(std::string{directory} + '/'), first_from(std::string{directory} + '0')};
}

TreeAnswer BaseTree::answer_for(std::string_view path) const {
  if (find(path) != nullptr) {
    return TreeAnswer::Existed;
  }
  if (std::binary_search(unknown.begin(), unknown.end(), std::string_view{})) {
    return TreeAnswer::Unknown;  // the whole tree
  }
  for (std::string_view above = path; !above.empty(); above = sys::split_path(above).parent) {
    if (sys::split_path(above).name == ".git" ||
        std::binary_search(unknown.begin(), unknown.end(), above)) {
      return TreeAnswer::Unknown;
    }
  }
  const bool was_directory = !below(path).empty();
  return was_directory ? TreeAnswer::Unknown : TreeAnswer::Absent;
}

std::optional<std::uint32_t> BaseTree::mode_of_directory(std::string_view path) const {
  const auto found = std::lower_bound(
      directories.begin(), directories.end(), path,
      [](const TreeDirectory& directory, std::string_view p) { return directory.path < p; });
  return found != directories.end() && found->path == path ? std::optional{found->mode}
                                                           : std::nullopt;
}

std::string encode(const BaseTree& tree) {
  std::string bytes{kTitle};
  bytes += std::to_string(tree.left_out) + "\n";
  WireWriter out;
  out.number(tree.unknown.size());
  for (const std::string& path : tree.unknown) {
    out.text(path);
  }
  out.number(tree.directories.size());
  std::string_view before;
  for (const TreeDirectory& directory : tree.directories) {
    put_path(out, directory.path, before);
    out.number(directory.mode);
    before = directory.path;
  }
  before = {};
  for (const TreeEntry& entry : tree.entries) {
    put(out, entry, before);
    before = entry.path;
  }
  bytes += out.take();
  return bytes + to_hex(hash_bytes(bytes));
}

std::optional<BaseTree> decode_base_tree(std::string_view bytes) {
  if (bytes.size() < kDigest) {
    return std::nullopt;
  }
  const std::string_view digest = bytes.substr(bytes.size() - kDigest);
  bytes.remove_suffix(kDigest);
  const auto opened = open_title(bytes);
  if (!opened || to_hex(hash_bytes(bytes)) != digest) {
    return std::nullopt;
  }
  BaseTree tree;
  tree.left_out = opened->left_out;
  WireReader in{opened->body};
  if ((opened->has_unknown && !get_unknown(in, tree)) ||
      (opened->has_directories && !get_directories(in, tree))) {
    return std::nullopt;
  }
  std::string before;
  while (!in.done()) {
    TreeEntry entry;
    if (!get(in, entry, before)) {
      return std::nullopt;
    }
    before = entry.path;
    tree.entries.push_back(std::move(entry));
  }
  return tree;
}

bool has_base_tree(int session) {
  return ::faccessat(session, kBaseTree, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

std::optional<BaseTree> read_base_tree(int session) {
  const auto bytes = sys::read_file_at(session, kBaseTree, kMostOfTree);
  return bytes ? decode_base_tree(*bytes) : std::nullopt;
}

std::uint64_t left_out_of_base_tree(int session) {
  constexpr std::size_t kEnough = 64;
  const sys::Fd file = sys::try_open_at(session, kBaseTree, O_RDONLY | O_NOFOLLOW);
  std::string start(kEnough, '\0');
  const ssize_t got = file ? ::pread(file.get(), start.data(), start.size(), 0) : 0;
  start.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  const auto opened = open_title(start);
  return opened ? opened->left_out : 0;
}

std::set<std::string> blobs_of(const BaseTree& tree) {
  std::set<std::string> names;
  for (const TreeEntry& entry : tree.entries) {
    if (!entry.blob.empty()) {
      names.insert(entry.blob);
    }
  }
  return names;
}

BaseContent content_of(const TreeEntry& entry) {
  return entry.blob.empty() ? BaseContent::object(entry.git_id) : BaseContent::stored(entry.blob);
}

Base base_of_tree(const TreeEntry& entry) {
  return Base::known(entry.entry, BaseSource::Tree, content_of(entry));
}

std::optional<Base> base_of_directory(const BaseTree& tree, std::string_view path,
                                      const Entry& real) {
  const auto mode = tree.mode_of_directory(path);
  if (!mode) {
    return std::nullopt;
  }
  Entry before = real;
  before.mode = *mode;
  return Base::known(before, BaseSource::Tree);
}

Base directory_of_mode(std::uint32_t mode) {
  Entry before;
  before.kind = EntryKind::Directory;
  before.mode = mode;
  return Base::known(before, BaseSource::Tree);
}

std::optional<Base> base_without_file(const BaseTree& tree, std::string_view path) {
  if (const auto mode = tree.mode_of_directory(path)) {
    return directory_of_mode(*mode);
  }
  return tree.answer_for(path) == TreeAnswer::Absent ? std::optional{Base::absent(BaseSource::Tree)}
                                                     : std::nullopt;
}

bool contradicts(const TreeEntry& known, const Entry& real) {
  return known.entry.kind != real.kind || known.entry.ino != real.ino ||
         known.entry.size != real.size || known.entry.mtime_ns != real.mtime_ns;
}

bool came_since(const BaseTree& tree, std::string_view path, const Entry& real) {
  const TreeEntry* known = tree.find(path);
  return known != nullptr
             ? contradicts(*known, real)
             : real.kind != EntryKind::Directory && base_without_file(tree, path).has_value();
}

}  // namespace shadow::bases
