// SPDX-License-Identifier: MIT
#include "git/objects/object_check.hpp"

#include "base/git_names.hpp"
#include "base/text.hpp"
#include "git/objects/tree_names.hpp"
#include "git/repository/git_refs.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace shadow::git {
namespace {

constexpr std::size_t kRawId = GIT_OID_RAWSZ;

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool is_null(const git_oid& id) {
  return git_oid_is_zero(&id) == 1;
}

// git compares a directory's name as if a slash followed.
bool in_order(const TreeRow& a, const TreeRow& b) {
  const auto key = [](const TreeRow& row) {
    return std::string{row.name} + (row.mode == kTreeMode ? "/" : "");
  };
  return key(a) < key(b);
}

// Some filesystems separate directories by backslashes, so the name may follow one.
bool has_dot_git(std::string_view name) {
  const std::vector<std::string> parts = split(name, '\\');
  return std::any_of(parts.begin(), parts.end(),
                     [](const std::string& part) { return is_dot_git(part); });
}

std::string fault_of_row(const TreeRow& row) {
  if (row.name.empty() || row.name == "." || row.name == ".." ||
      row.name.find('/') != std::string_view::npos || has_dot_git(row.name)) {
    return "a tree has an entry named " + quoted(row.name);
  }
  constexpr std::array kModes = {kTreeMode, kFileMode, kExecutableMode, kLinkMode, kModuleMode};
  if (std::find(kModes.begin(), kModes.end(), row.mode) == kModes.end() || is_null(row.id)) {
    return "a tree has a damaged entry " + quoted(row.name);
  }
  if (row.mode == kLinkMode && is_dot_file(row.name, DotFile::Modules)) {
    return "its '.gitmodules' is a symlink";
  }
  return {};
}

Checked check_tree(std::string_view bytes) {
  Checked checked;
  const auto rows = tree_rows(bytes);
  if (!rows) {
    return {"a tree cannot be read", {}};
  }
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const TreeRow& row = (*rows)[i];
    if (std::string fault = fault_of_row(row); !fault.empty()) {
      return {std::move(fault), {}};
    }
    if (i > 0 && !in_order((*rows)[i - 1], row)) {
      return {"a tree is not in order", {}};
    }
    names.push_back(row.name);
    if (row.mode == kModuleMode) {
      continue;  // a commit of another repository
    }
    checked.links.push_back({row.id, row.mode == kTreeMode ? GIT_OBJECT_TREE : GIT_OBJECT_BLOB,
                             row.mode != kTreeMode && is_dot_file(row.name, DotFile::Modules)});
  }
  // A file and a directory of one name need not stand side by side in that order.
  std::sort(names.begin(), names.end());
  if (std::adjacent_find(names.begin(), names.end()) != names.end()) {
    return {"a tree has two entries of one name", {}};
  }
  return checked;
}

// Takes the lines of an object's header one after the other.
class Header {
 public:
  explicit Header(std::string_view bytes) : rest_{bytes} {}

  // The rest of the next line when it begins with `word` and a blank.
  std::optional<std::string_view> take(std::string_view word) {
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos || !starts_with(rest_, word) || rest_[word.size()] != ' ') {
      return std::nullopt;
    }
    const std::string_view value = rest_.substr(word.size() + 1, end - word.size() - 1);
    rest_.remove_prefix(end + 1);
    return value;
  }

  std::optional<git_oid> take_id(std::string_view word) {
    const auto text = take(word);
    git_oid id{};
    if (!text || !is_object_id(*text) || git_oid_fromstrn(&id, text->data(), kHexId) < 0 ||
        is_null(id)) {
      return std::nullopt;
    }
    return id;
  }

  // Lines that this knows nothing of, up to the empty one; whether that is there.
  bool skip_rest() {
    const std::size_t end = rest_.find("\n\n");
    const bool ends = starts_with(rest_, "\n") || end != std::string_view::npos;
    return ends && rest_.substr(0, end).find('\0') == std::string_view::npos;
  }

 private:
  std::string_view rest_;
};

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos &&
         (text.size() == 1 || text.front() != '0');
}

// "Name <address> seconds zone"
bool is_identity(std::string_view text) {
  const std::size_t open = text.find('<');
  const std::size_t close = text.find('>');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open ||
      open == 0 || text[open - 1] != ' ' || text.find('<', open + 1) < close ||
      text.substr(close, 2) != "> " || text.find('\0') != std::string_view::npos) {
    return false;
  }
  const std::string_view time = text.substr(close + 2);
  const std::size_t blank = time.find(' ');
  const std::string_view zone =
      blank == std::string_view::npos ? std::string_view{} : time.substr(blank + 1);
  constexpr std::size_t kMostDigits = 18;  // git's own type is 64 bits wide
  return is_number(time.substr(0, blank)) && blank <= kMostDigits && zone.size() == 5 &&
         (zone[0] == '+' || zone[0] == '-') &&
         zone.substr(1).find_first_not_of("0123456789") == std::string_view::npos;
}

Checked check_commit(std::string_view bytes) {
  Header header{bytes};
  Checked checked;
  const auto tree = header.take_id("tree");
  if (!tree) {
    return {"a commit names no tree", {}};
  }
  checked.links.push_back({*tree, GIT_OBJECT_TREE, false});
  while (const auto parent = header.take_id("parent")) {
    checked.links.push_back({*parent, GIT_OBJECT_COMMIT, false});
  }
  const auto author = header.take("author");
  const auto committer = header.take("committer");
  if (!author || !committer || !is_identity(*author) || !is_identity(*committer) ||
      !header.skip_rest()) {
    return {"a commit has a damaged header", {}};
  }
  return checked;
}

Checked check_tag(std::string_view bytes) {
  Header header{bytes};
  const auto object = header.take_id("object");
  const auto type = object ? header.take("type") : std::nullopt;
  const auto name = type ? header.take("tag") : std::nullopt;
  const auto tagger = name ? header.take("tagger") : std::nullopt;
  const git_object_t kind =
      type ? git_object_string2type(std::string{*type}.c_str()) : GIT_OBJECT_INVALID;
  if (!name || !tagger || !is_identity(*tagger) || !header.skip_rest() ||
      (kind != GIT_OBJECT_COMMIT && kind != GIT_OBJECT_TREE && kind != GIT_OBJECT_BLOB &&
       kind != GIT_OBJECT_TAG)) {
    return {"a tag has a damaged header", {}};
  }
  return {{}, {{*object, kind, false}}};
}

}  // namespace

std::optional<std::vector<TreeRow>> tree_rows(std::string_view bytes) {
  std::vector<TreeRow> rows;
  while (!bytes.empty()) {
    TreeRow row;
    const std::size_t blank = bytes.find(' ');
    constexpr std::size_t kMostDigits = 6;
    if (blank == 0 || blank > kMostDigits || bytes.front() == '0') {
      return std::nullopt;
    }
    for (const char digit : bytes.substr(0, blank)) {
      if (digit < '0' || digit > '7') {
        return std::nullopt;
      }
      row.mode = row.mode * 8 + static_cast<unsigned>(digit - '0');
    }
    bytes.remove_prefix(blank + 1);
    const std::size_t end = bytes.find('\0');
    if (end == std::string_view::npos || bytes.size() - end - 1 < kRawId) {
      return std::nullopt;
    }
    row.name = bytes.substr(0, end);
    git_oid_fromraw(&row.id, reinterpret_cast<const unsigned char*>(bytes.data()) + end + 1);
    bytes.remove_prefix(end + 1 + kRawId);
    rows.push_back(row);
  }
  return rows;
}

Checked check_object(git_object_t type, std::string_view bytes) {
  switch (type) {
    case GIT_OBJECT_COMMIT:
      return check_commit(bytes);
    case GIT_OBJECT_TREE:
      return check_tree(bytes);
    case GIT_OBJECT_TAG:
      return check_tag(bytes);
    default:
      return {};
  }
}

}  // namespace shadow::git
