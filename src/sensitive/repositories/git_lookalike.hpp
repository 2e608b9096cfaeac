// SPDX-License-Identifier: MIT
// Directories that git takes for git directories whatever they are called. git goes by what lies in
// them (setup.c, is_git_directory): HEAD, with `objects` and `refs` beside it or a `commondir` that
// says where those are. It then obeys the configuration and the hooks of such a directory as soon
// as somebody stands in it.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace shadow::sensitive {

// True if git reads something of this name (one component) in a git directory. A filesystem that
// folds case takes "head" for "HEAD".
[[nodiscard]] bool is_name_in_git_dir(std::string_view name);

// The names in one directory that make it a git directory.
struct GitMarks {
  bool head = false;
  bool objects = false;
  bool refs = false;
  bool common = false;

  // Notes a name. What kind of entry it is, and what it says, is not asked: git follows links here,
  // and the next apply may bring another content.
  void add(std::string_view name);
  void add(const GitMarks& other);

  [[nodiscard]] bool any() const { return head || objects || refs || common; }
  [[nodiscard]] bool make_git_dir() const { return head && ((objects && refs) || common); }
};

// By directory ("" is the root), the marks among names of a tree.
using MarksByDirectory = std::map<std::string, GitMarks, std::less<>>;

// Notes those of all components of a path.
void add_marks(MarksByDirectory& marks, std::string_view path);

class GitLookalikes {
 public:
  // The marks of a directory ("" is the project's root) before and after, and those that git brings
  // back: whichever of a session's changes an apply takes, it leaves no names but these.
  using Look = std::function<GitMarks(const std::string& directory)>;
  explicit GitLookalikes(Look look) : look_{std::move(look)} {}

  // The outermost such directory in which git reads the entry at `path`, or something above it.
  [[nodiscard]] std::optional<std::string> around(std::string_view path);

 private:
  bool is_git_dir(const std::string& directory);

  Look look_;
  std::map<std::string, bool, std::less<>> known_;
};

// The marks of a directory: the names that `has` finds there.
using HasEntry = std::function<bool(const std::string& path)>;
[[nodiscard]] GitMarks look_for_marks(const std::string& directory, const HasEntry& has);

// True for a path that ends in HEAD, in any case.
[[nodiscard]] bool is_named_head(std::string_view path);

// True if git takes a file with this text for a HEAD (setup.c, validate_headref).
[[nodiscard]] bool is_text_of_head(std::string_view text);

}  // namespace shadow::sensitive
