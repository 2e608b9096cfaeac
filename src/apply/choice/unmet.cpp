// SPDX-License-Identifier: MIT
#include "apply/choice/unmet.hpp"

#include "base/text.hpp"
#include "changes/review_set.hpp"
#include "changes/selection_match.hpp"
#include "overlay/format/look.hpp"
#include "session/project/git_dir.hpp"
#include "session/selection/pathspec.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>

namespace shadow::apply {

namespace {

// A merge may be what neither side was.
bool may_be_sensitive(const ReviewItem& item, MetBy by) {
  return by == MetBy::AnyChange || !item.sensitive.empty() || item.drift != Drift::None ||
         item.standing == Standing::GitDir;
}

// Hooks and settings of a repository are allowed by name, and a new one makes more sensitive than
// what is in it.
bool is_of_repository(const session::ReviewSession& session, const ReviewSet& set,
                      const std::string& path) {
  const bool of_new =
      std::any_of(set.new_git_dirs.begin(), set.new_git_dirs.end(), [&path](const NewGitDir& dir) {
        return is_at_or_below(dir.path, path) ||
               is_at_or_below(path, sys::split_path(dir.path).parent);
      });
  return of_new ||
         (session::git_dir_of(path) && overlay::look_beneath(session.upper.get(), path).exists());
}

}  // namespace

Unmet unmet_permissions(const session::ReviewSession& session, const ReviewSet& set,
                        const ApplyChoice& choice, MetBy by) {
  Unmet unmet;
  // Below a sensitive change: that is told instead, and what goes with it.
  for (const std::string& path : choice.sensitive_paths) {
    const bool met =
        std::any_of(set.items.begin(), set.items.end(), [&path, by](const ReviewItem& item) {
          return (is_at_or_below(item.change.path, path) && may_be_sensitive(item, by)) ||
                 (is_at_or_below(path, item.change.path) && !item.sensitive.empty());
        });
    if (!met && !path.empty() && !choice.allow_sensitive && !is_of_repository(session, set, path)) {
      unmet.paths.push_back(path);
    }
  }
  for (const ReviewItem& item : unmet.paths.empty() ? std::vector<ReviewItem>{} : set.items) {
    if (!item.sensitive.empty()) {
      unmet.sensitive.push_back(item.change.path);
    }
  }
  return unmet;
}

void refuse_unmet(const Project& project, const Unmet& unmet) {
  if (unmet.paths.empty()) {
    return;
  }
  std::vector<session::Pathspec> specs;
  specs.reserve(unmet.paths.size());
  std::vector<const session::Pathspec*> unmatched;
  for (const std::string& path : unmet.paths) {
    unmatched.push_back(&specs.emplace_back(":(top,literal)" + path, project));
  }
  changes::refuse_unmatched(project, "no sensitive change", unmatched, unmet.sensitive);
}

void require_met(const session::ReviewSession& session, const ApplyChoice& choice, MetBy by) {
  if (!choice.sensitive_paths.empty()) {
    const ReviewSet set =
        changes::review_changes(session, session::Selection{}, changes::WalkGitDirs::Yes);
    refuse_unmet(session.project, unmet_permissions(session, set, choice, by));
  }
}

}  // namespace shadow::apply
