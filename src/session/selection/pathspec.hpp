// SPDX-License-Identifier: MIT
// One path argument as git takes it (gitglossary(7), "pathspec"): a path, a glob, or either with
// magic before it. Resolved as text, because a path may be gone in the real tree, or a symlink in
// one of the two.

#pragma once

#include "shadow/session.hpp"

#include "git/patterns/glob.hpp"

#include <string>
#include <string_view>

namespace shadow::session {

class Pathspec {
 public:
  // Relative to where the caller stands, absolute, or `:/...` from the root. Throws Error for what
  // lies outside of the project and for magic that is not known.
  Pathspec(const std::string& argument, const Project& project);

  [[nodiscard]] bool excludes() const { return exclude_; }
  // True if it names one path, with everything below it, and nothing else.
  [[nodiscard]] bool is_plain() const { return !exclude_ && !wild_ && !fold_case_; }
  [[nodiscard]] bool is_root() const { return path_.empty(); }

  [[nodiscard]] bool matches(std::string_view path) const;
  // True if something below the directory could match.
  [[nodiscard]] bool may_match_below(std::string_view directory) const;

  // The argument as it was given; and the path (or glob) from the project's root.
  [[nodiscard]] const std::string& argument() const { return argument_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  // The part of it that stands for itself: the matches are at or below it, or begin with it.
  [[nodiscard]] std::string_view literal() const {
    return std::string_view{path_}.substr(0, fixed_);
  }

 private:
  std::string_view take_magic(std::string_view text);
  std::string_view take_long_magic(std::string_view text);
  void set_magic(std::string_view word);
  void resolve(std::string_view text, const Project& project);

  std::string argument_;
  std::string path_;
  std::size_t here_ = 0;   // bytes of path_ that name the caller's directory: no glob, no folding
  std::size_t fixed_ = 0;  // bytes of path_ before the first one of a glob
  bool top_ = false;
  bool exclude_ = false;
  bool literal_ = false;
  bool glob_ = false;  // as the shell does: a '*' stays within a directory
  bool fold_case_ = false;
  bool wild_ = false;
  git::Glob pattern_;  // of what follows here_
};

}  // namespace shadow::session
