// SPDX-License-Identifier: MIT
#include "workspace/commits.hpp"

#include "shadow/workspace_review.hpp"

#include "apply/shown/shown_refs.hpp"
#include "commits/show/commit_patch.hpp"
#include "workspace/call/failure.hpp"
#include "workspace/call/sink.hpp"

#include <utility>

namespace shadow {

CommitsHandle::CommitsHandle(std::shared_ptr<const ReviewHandle> of, std::vector<BranchWork> refs)
    : of_{std::move(of)}, refs_{std::move(refs)} {
}

CommitsHandle::CommitsHandle(std::shared_ptr<const ReviewHandle> of, commits::NewCommits commits,
                             std::vector<std::string> not_shown)
    : of_{std::move(of)},
      refs_{std::move(commits.rows)},
      new_git_dir_{std::move(commits.git_dir)},
      not_shown_{std::move(not_shown)},
      looked_{true},
      git_{std::move(commits.git)} {
}

const commits::SessionGit* CommitsHandle::find_git() const {
  if (!std::exchange(looked_, true)) {
    git_ = commits::find_session_git(session());
  }
  return git_ ? &*git_ : nullptr;
}

const commits::SessionGit& CommitsHandle::git() const {
  const commits::SessionGit* found = find_git();
  if (found == nullptr) {
    throw workspace::Failure{workspace::Kind::Trouble,
                             "cannot read commits: there is no repository"};
  }
  return *found;
}

}  // namespace shadow

namespace shadow::workspace {

Commits::Commits(std::shared_ptr<const CommitsHandle> handle) : handle_{std::move(handle)} {
}

const std::vector<BranchWork>& Commits::refs() const noexcept {
  return handle_->refs();
}

std::vector<NewCommit> Commits::list() const {
  return as_call([&] { return commits::new_commits(refs()); });
}

std::optional<NewCommit> Commits::find(const std::string& prefix) const {
  return as_call([&] { return commits::find_new_commit(refs(), prefix); });
}

bool Commits::readable() const {
  return as_call([&] { return handle_->find_git() != nullptr; });
}

std::vector<std::string> Commits::text(const std::string& id) const {
  return as_call([&] { return commits::text_of_object(handle_->git(), id); });
}

bool Commits::is_annotated_tag(const std::string& id) const {
  return as_call([&] { return commits::is_annotated_tag(handle_->git(), id); });
}

void Commits::write_patch(const std::string& id, const PatchOptions& options,
                          const PatchSink& sink) const {
  as_call([&] {
    shadow::write_patch(commits::patch_of_commit(handle_->git(), id), options, passing(sink));
  });
}

const std::vector<std::string>& Commits::not_shown() const noexcept {
  return handle_->not_shown();
}

void Commits::keep_as_shown(const std::vector<std::string>& missing) const {
  as_call([&] {
    apply::keep_shown_refs(handle_->session(), commits::wholly_listed(refs(), missing),
                           handle_->new_git_dir());
  });
}

}  // namespace shadow::workspace
