// SPDX-License-Identifier: MIT
#include "git/commits/branch_work.hpp"

#include "shadow/error.hpp"

#include "base/git_names.hpp"
#include "git/commits/commit_walk.hpp"
#include "git/commits/packing.hpp"
#include "git/objects/objects.hpp"
#include "git/repository/confined.hpp"
#include "git/repository/git_refs.hpp"
#include "git/repository/handle.hpp"
#include "sys/files/fd.hpp"

#include <git2/sys/repository.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

namespace shadow::git {
namespace {

using State = BranchWork::State;

std::string short_name(const std::string& ref) {
  constexpr std::string_view kRefs = "refs/";
  if (ref.starts_with(kTags)) {
    return "tag " + ref.substr(kTags.size());
  }
  return ref.substr(ref.starts_with(kHeads) ? kHeads.size() : kRefs.size());
}

// The commits of the real repository: on its branches, and saved below refs/shadow earlier. A
// remote's commits were fetched, but no branch took them: to a branch that gets them from here they
// are new.
struct Known {
  std::vector<std::string> branches;
  std::vector<std::string> all;
};

void examine(CommitWalk& walk, const Known& known, std::size_t most, BranchWork& work) {
  try {
    work.state = work.real_id.empty()                           ? State::New
                 : walk.is_ancestor(work.real_id, work.view_id) ? State::Ahead
                                                                : State::Diverged;
    // The branch takes once more what an undo saved; what has diverged stays saved.
    const bool may_move = work.state != State::Diverged && work.ref.starts_with(kHeads);
    auto news = walk.news(work.view_id, may_move ? known.branches : known.all, most);
    work.commits = std::move(news.commits);
    work.more = news.more;
    work.arrived = work.commits.empty() && !work.more &&
                   walk.news(work.view_id, known.branches, 1).commits.empty();
  } catch (const Error&) {
    work.state = State::Unreadable;
    work.commits.clear();
  }
}

struct Bounds {
  std::size_t of_ref;
  std::size_t of_all = std::numeric_limits<std::size_t>::max();
};

// In the child.
std::string examine_all(const GitDirs& dirs, const sys::Fd& upper, const Known& known, Bounds most,
                        std::vector<BranchWork> rows) {
  git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);  // each commit is read once
  const OdbHandle odb = open_objects(dirs, upper);
  const auto repository =
      make<RepositoryHandle>("open objects", git_repository_wrap_odb, odb.get());
  CommitWalk walk{repository.get(), shallow_commits(dirs)};
  for (BranchWork& row : rows) {
    if (row.state != State::Deleted && row.state != State::Unreadable) {
      examine(walk, known, std::min(most.of_ref, most.of_all), row);
      most.of_all -= row.commits.size();
    }
  }
  return pack(rows);
}

// The rows that differ, with the states that need no look at the objects.
std::vector<BranchWork> differing(const Refs& view, const Refs& real) {
  std::set<std::string> names;
  for (const Refs* refs : {&view, &real}) {
    for (const auto& [name, id] : refs->named) {
      names.insert(name);
    }
  }
  const auto find = [](const Refs& refs, const std::string& name) {
    const auto found = refs.named.find(name);
    return found == refs.named.end() ? std::string{} : found->second;
  };
  std::vector<BranchWork> rows;
  // A repository that is new as a whole brings them as well.
  for (const auto& [name, id] : real.exists ? std::map<std::string, std::string>{} : view.remotes) {
    rows.push_back({short_name(name), name, State::New, "", id, {}, false, false});
  }
  for (const std::string& name : names) {
    BranchWork row;
    row.branch = short_name(name);
    row.ref = name;
    row.real_id = find(real, name);
    row.view_id = find(view, name);
    if (view.named.count(name) == 0) {
      row.state = view.damaged ? State::Unreadable : State::Deleted;
    } else if (row.view_id.empty()) {
      row.state = State::Unreadable;
    } else if (row.view_id == row.real_id) {
      continue;
    }
    rows.push_back(std::move(row));
  }
  if (view.head_broken || (view.detached && view.head != real.head)) {
    BranchWork row;
    row.branch = "HEAD";
    row.ref = "HEAD";
    row.state = view.head_broken ? State::Unreadable : State::Ahead;
    row.real_id = real.head;
    row.view_id = view.head;
    rows.push_back(std::move(row));
  }
  std::sort(rows.begin(), rows.end(),
            [](const BranchWork& a, const BranchWork& b) { return a.branch < b.branch; });
  return rows;
}

enum class Saved : std::uint8_t { Known, New };

std::vector<BranchWork> work_of(const GitDirs& dirs, Bounds most, Saved saved) {
  start_libgit2();
  const Refs view = read_refs(dirs.view);
  if (!view.exists && view.named.empty()) {
    return {};  // no repository there
  }
  const Refs real = read_refs(disk_reader(dirs.real_git_dir));
  std::vector<BranchWork> rows = differing(view, real);
  const auto needs_look = [](const BranchWork& row) {
    return row.state != State::Deleted && row.state != State::Unreadable;
  };
  if (std::none_of(rows.begin(), rows.end(), needs_look)) {
    return rows;
  }
  // Tags are left out: of their commits hardly any is on no branch, and there can be thousands.
  Known known{real.branch_commits(), real.branch_commits()};
  if (saved == Saved::Known) {
    for (const auto& [name, id] : real.aside) {
      known.all.push_back(id);
    }
  }
  const sys::Fd upper =
      sys::try_open_at(AT_FDCWD, dirs.upper_objects, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  std::optional<std::string> answer;
  if (!upper || holds_only_files(upper.get())) {
    answer = run_confined([&] { return examine_all(dirs, upper, known, most, rows); });
  }
  auto examined = answer ? unpack(*answer) : std::nullopt;
  if (examined && examined->size() == rows.size()) {
    return *std::move(examined);
  }
  for (BranchWork& row : rows) {
    row.state = needs_look(row) ? State::Unreadable : row.state;
  }
  return rows;
}

}  // namespace

std::vector<BranchWork> branch_work(const GitDirs& dirs, std::size_t most_commits) {
  return work_of(dirs, {most_commits}, Saved::Known);
}

std::vector<BranchWork> whole_branch_work(const GitDirs& dirs) {
  constexpr Bounds kMost{5000, 20'000};
  return work_of(dirs, kMost, Saved::New);
}

}  // namespace shadow::git
