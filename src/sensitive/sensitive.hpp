// SPDX-License-Identifier: MIT
// Changes that do more than change the project: files that tools run or obey by themselves, and
// entries that reach out of the tree. shadow-security(7) has the rules in words,
// data/sensitive.toml the names.

#pragma once

#include "shadow/change.hpp"

#include "sensitive/leads/git_named.hpp"
#include "sensitive/repositories/git_lookalike.hpp"
#include "sensitive/walk/link_walk.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace shadow::sensitive {

// Gives the beginning of the text at a path; nullopt when there is none.
using ReadView = std::function<std::optional<std::string>(const std::string& path)>;

// The rules' knowledge of the tree as it will be.
struct SensitivePlaces {
  std::string root;                   // the project's path
  std::string above;                  // directories that names count behind, too: outer_leads.hpp
  std::vector<std::string> patterns;  // the user's own
  std::vector<NamedPath> named;       // by the user's own git set-up, and by links
  ReadView read;                      // of the view
  ReadView read_project;              // of the project, where there is one
  LookAt in_view;
  LookAt in_project;

  // Whether git ignores a file: asked of packages of node's, which it mostly does. Empty where what
  // comes back is the user's own.
  std::function<bool(const std::string& path)> ignored{};

  // Symlinks that git has, and the project need not have: git brings them back.
  LookAt tracked_link = [](const std::string&) { return Entry{}; };
  GitLookalikes::Look git_marks;
};

class SensitiveRules {
 public:
  explicit SensitiveRules(SensitivePlaces places)
      : places_{std::move(places)}, lookalikes_{places_.git_marks} {}

  // Why a person should look twice at this change, as the end of "sensitive: ..."; empty when there
  // is no reason.
  [[nodiscard]] std::string reason_of(const Change& change);

  // The digest of the file's text by which reason_of() judged its last change; empty if none was
  // read. A run may write another one meanwhile, which this says nothing about.
  [[nodiscard]] std::string judged_text() const;

  // The same as reason_of() for another text than the session's: a merge, or a part of the change.
  [[nodiscard]] std::string reason_of_written(const Change& change, std::string text);

  // The same without the reasons that the name and the text of the file have by themselves: what
  // lies around it is one.
  [[nodiscard]] std::string reason_in_tree(const Change& change);

  // Why nobody should make a repository of a directory ("" or "x/") without a person's look: what
  // the project has there already would run. Empty when there is no reason.
  struct Awaited {
    std::string path;
    std::string reason;
  };
  [[nodiscard]] std::optional<Awaited> awaits_repository(const std::string& work_tree) const;

  // Where a symlink leads, if that is one.
  [[nodiscard]] std::string reason_of_link(const Change& change) const;

  // A remark on a change that somebody or something heeds although nobody runs it: instructions for
  // agents, lock files. Empty for all others.
  [[nodiscard]] static std::string remark_on(const Change& change);

 private:
  // The text that a change brings. Of one change it is read once.
  struct TextAfter {
    std::string path;
    std::optional<std::string> text;
  };
  [[nodiscard]] std::optional<std::string> text_after(const Change& change) const;

  [[nodiscard]] std::string reason_now(const Change& change);
  [[nodiscard]] std::string reason_of_source(const Change& change) const;
  [[nodiscard]] std::string reason_of_names(const Change& change) const;
  [[nodiscard]] std::string reason_of_place(const Change& change) const;
  [[nodiscard]] std::string reason_of_name(const Change& change, const std::string& path,
                                           bool by_text = true) const;
  [[nodiscard]] std::string reason_at_inner_top(const Change& change,
                                                const std::string& path) const;
  [[nodiscard]] bool is_of_another(const Change& change, const std::string& folded) const;
  [[nodiscard]] std::string reason_of_text(const Change& change, const std::string& folded) const;
  [[nodiscard]] std::optional<std::string> text_before(const Change& change) const;
  [[nodiscard]] bool is_named(const NamedPath& named, const Change& change) const;
  [[nodiscard]] bool is_head_of_git(const Change& change) const;
  [[nodiscard]] bool is_python_of_system(const Change& change) const;
  [[nodiscard]] bool has_work_tree(const std::string& directory) const;
  [[nodiscard]] std::string reason_of_walk(const Change& change, const LookAt& look) const;

  SensitivePlaces places_;
  mutable std::optional<TextAfter> text_after_;
  GitLookalikes lookalikes_;
};

}  // namespace shadow::sensitive
