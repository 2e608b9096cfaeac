// SPDX-License-Identifier: MIT
// Judges the commits of a session one by one: the sensitive changes in them, and those that the
// work tree does not show.

#pragma once

#include "shadow/commits.hpp"
#include "shadow/review.hpp"

#include "changes/shown_items.hpp"
#include "changes/trees/tree_rules.hpp"
#include "commits/refs/session_git.hpp"
#include "git/commits/commit_changes.hpp"
#include "overlay/read/view.hpp"
#include "session/directory/review_session.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace shadow::commits {

// By path, what the changes of the work tree that a review shows leave there. Borrowed from them.
using ShownEntries = std::map<std::string, const Entry*, std::less<>>;

// Those of the items that are there to be shown.
[[nodiscard]] ShownEntries shown_entries(const std::vector<ReviewItem>& items,
                                         changes::IgnoredItems ignored);

// Which sensitive changes in commits were allowed, and what a person has seen besides.
struct CommitChoice {
  bool allow_sensitive = false;
  std::vector<std::string> sensitive_paths{};
  ShownEntries shown{};

  // Paths of the project that an apply gives something of both sides; of a file that the session
  // moved the old name leads to the new one, else the name is "".
  std::map<std::string, std::string> merged{};
};

class CommitJudge {
 public:
  // Reads the new commits of all the rows at once.
  CommitJudge(const session::ReviewSession& session, const SessionGit& git,
              const std::vector<BranchWork>& rows);

  // Why the commits of a ref do not move it, as the end of a sentence: the first sensitive path, or
  // that they cannot be listed. Empty when nothing speaks against it.
  [[nodiscard]] std::string fault_of(const std::string& ref, const CommitChoice& choice);

  // Why a new repository of this work tree should not come without a person's look, likewise.
  [[nodiscard]] std::string fault_of_place(const CommitChoice& choice) const;

  [[nodiscard]] bool abbreviates(const std::string& ref) const;

  // The paths at which the branches and tags bring something, in whichever of their commits, that
  // is not what a change in `shown` leaves there, nor on the way to that; of a repository that is
  // new as a whole, nor what the view has. Sorted. Of refs in `without` nothing arrives.
  [[nodiscard]] std::vector<std::string> not_shown(const ShownEntries& shown,
                                                   const std::set<std::string>& without = {}) const;

  // True if the session's work tree, or the project's, has this content at the path, of the kind
  // that git's mode says. Paths here are those of the repository.
  [[nodiscard]] bool view_has(const std::string& path, unsigned mode, const std::string& id) const;
  [[nodiscard]] bool project_has(const std::string& path, unsigned mode,
                                 const std::string& id) const;

  // The difference between the end of the ref's commits and the project; null when it is none of
  // the rows.
  [[nodiscard]] const git::CommitChanges* changes_of(const std::string& ref) const;

 private:
  [[nodiscard]] bool has(const overlay::View& view, const std::string& path, unsigned mode,
                         const std::string& id) const;
  [[nodiscard]] bool is_shown(const git::CommitChange& change, const ShownEntries& shown) const;
  [[nodiscard]] std::string reason_of(const git::CommitChange& change,
                                      sensitive::SensitiveRules& rules);
  [[nodiscard]] sensitive::SensitiveRules* find_rules(const git::CommitChanges& changes);
  void look_for_crossed_links(const ShownEntries& shown);

  const session::ReviewSession& session_;
  const SessionGit& git_;
  std::string work_tree_;
  bool is_new_;  // the project has no such repository
  std::map<std::string, git::CommitChanges> by_ref_;
  std::string current_text_;

  // Links in commits that lie on the way of one that the work tree gets, by path.
  std::optional<std::map<std::string, std::string>> crossed_;
  sensitive::SensitivePlaces places_;
  sensitive::SensitiveRules rules_;

  // By commit, for those whose trees have more than the project's and the new commits; nothing for
  // one that cannot be read.
  std::map<std::string, std::optional<sensitive::SensitiveRules>> rules_elsewhere_;
};

}  // namespace shadow::commits
