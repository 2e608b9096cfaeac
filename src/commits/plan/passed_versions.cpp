// SPDX-License-Identifier: MIT
#include "commits/plan/passed_versions.hpp"

#include "shadow/error.hpp"

#include "changes/worked_on.hpp"
#include "git/objects/tree_entry.hpp"
#include "overlay/read/view.hpp"

#include <chrono>
#include <map>
#include <utility>

#include <sys/stat.h>

namespace shadow::commits {

namespace {

constexpr std::size_t kMostVersions = 500;
constexpr std::chrono::seconds kMostTime{2};  // versions may be made to be compared for long
constexpr std::uint64_t kMostOfSide = std::uint64_t{8} << 20U;

std::string text_in(const overlay::View& view, const std::string& path) {
  try {
    return view.read(path, kMostOfSide).value_or("");
  } catch (const Error&) {
    return {};
  }
}

bool can_be_passed(const git::CommitChange& change, const Entry& shown) {
  const bool executable = (shown.mode & S_IXUSR) != 0;
  return shown.kind == EntryKind::File &&
         change.row.after_mode == (executable ? git::kExecutableMode : git::kFileMode);
}

}  // namespace

std::set<const git::CommitChange*> passed_versions(
    const session::ReviewSession& session, const SessionGit& git, const std::string& work_tree,
    const std::vector<const git::CommitChange*>& changes) {
  const overlay::View view{session.upper.get(), session.lower.get()};
  const overlay::View project{-1, session.lower.get()};
  std::vector<const git::CommitChange*> files;
  std::vector<std::string> ids;
  for (const git::CommitChange* change : changes) {
    if (can_be_passed(*change, view.look(work_tree + change->row.path))) {
      files.push_back(change);
      ids.push_back(change->row.after_id);
    }
  }
  std::set<const git::CommitChange*> passed;
  if (ids.empty() || ids.size() > kMostVersions) {
    return passed;
  }
  const std::vector<std::string> versions = git::blob_texts(git.dirs, ids);
  std::map<std::string, std::pair<std::string, std::string>> sides;
  const auto until = std::chrono::steady_clock::now() + kMostTime;
  for (std::size_t i = 0; i < versions.size() && std::chrono::steady_clock::now() < until; ++i) {
    const std::string path = work_tree + files[i]->row.path;
    auto [at, is_new] = sides.try_emplace(path);
    if (is_new) {
      at->second = {text_in(project, path), text_in(view, path)};
    }
    if (changes::is_on_the_way(at->second.first, versions[i], at->second.second)) {
      passed.insert(files[i]);
    }
  }
  return passed;
}

}  // namespace shadow::commits
