// SPDX-License-Identifier: MIT
#include "shadow/commits.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "overlay/look.hpp"
#include "review/commit_walk.hpp"
#include "review/confined.hpp"
#include "review/git_refs.hpp"
#include "review/handle.hpp"
#include "review/packing.hpp"
#include "sys/dir.hpp"
#include "sys/fd.hpp"

#include <git2/odb_backend.h>
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>

#include <algorithm>
#include <set>
#include <utility>

#include <dirent.h>

namespace shadow {
namespace {

using review::OdbHandle;
using review::Refs;
using State = BranchWork::State;

// Opening a FIFO would wait for ever, and a symlink leads elsewhere. This finds those that lie
// there; against one that is put there in the next moment the time limit of the child helps. Device
// 0:0 is a whiteout, which no open waits for.
bool holds_only_files(int directory, bool below) try {
  for (const sys::DirEntry& entry : sys::list_dir(directory)) {
    const Entry found = overlay::look_at(directory, entry.name);
    const bool whiteout = found.kind == EntryKind::Device && found.rdev == 0;
    if (found.kind == EntryKind::Directory && !below) {
      const sys::Fd fd = sys::open_at(directory, entry.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      if (!holds_only_files(fd.get(), true)) {
        return false;
      }
    } else if (found.kind != EntryKind::File && found.kind != EntryKind::Directory && !whiteout) {
      return false;
    }
  }
  return true;
} catch (const Error&) {
  return false;  // a directory that its owner may not read
}

void add_backend(git_odb* odb, git_odb_backend* backend) {
  // Below libgit2's own (1 and 2): what the real repository has is read there.
  constexpr int kPriority = 0;
  const int result = git_odb_add_backend(odb, backend, kPriority);
  if (result < 0) {
    backend->free(backend);
  }
  review::check(result, "read objects");
}

// The real objects, and after them the upper's, from its files alone: neither its alternates nor
// any configuration is looked at.
OdbHandle open_objects(const GitDirs& dirs, const sys::Fd& upper) {
  const std::string real = review::common_dir(dirs.real_git_dir) + "/objects";
  OdbHandle odb = sys::try_open_at(AT_FDCWD, real, O_PATH | O_DIRECTORY)
                      ? review::make<OdbHandle>("open the real objects", git_odb_open, real.c_str())
                      : review::make<OdbHandle>("open objects", git_odb_new);
  if (upper) {
    const std::string path = sys::proc_path(upper.get());
    git_odb_backend* backend = nullptr;
    review::check(git_odb_backend_pack(&backend, path.c_str()), "read packs");
    add_backend(odb.get(), backend);
    review::check(git_odb_backend_loose(&backend, path.c_str(), -1, 0, 0, 0), "read objects");
    add_backend(odb.get(), backend);
  }
  return odb;
}

std::vector<std::string> shallow_commits(const GitDirs& dirs) {
  std::vector<std::string> ids;
  const auto text = review::disk_reader(dirs.real_git_dir).read("shallow");
  for (const std::string& line : text ? split(*text, '\n') : std::vector<std::string>{}) {
    if (review::is_object_id(line)) {
      ids.push_back(line);
    }
  }
  return ids;
}

void examine(review::CommitWalk& walk, const std::vector<std::string>& known, std::size_t most,
             BranchWork& work) {
  try {
    auto news = walk.news(work.view_id, known, most);
    work.state = work.real_id.empty()                           ? State::New
                 : walk.is_ancestor(work.real_id, work.view_id) ? State::Ahead
                                                                : State::Diverged;
    work.commits = std::move(news.commits);
    work.more = news.more;
  } catch (const Error&) {
    work.state = State::Unreadable;
    work.commits.clear();
  }
}

// In the child.
std::string examine_all(const GitDirs& dirs, const sys::Fd& upper,
                        const std::vector<std::string>& known, std::size_t most,
                        std::vector<BranchWork> rows) {
  git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);  // each commit is read once
  const OdbHandle odb = open_objects(dirs, upper);
  const auto repository =
      review::make<review::RepositoryHandle>("open objects", git_repository_wrap_odb, odb.get());
  review::CommitWalk walk{repository.get(), shallow_commits(dirs)};
  for (BranchWork& row : rows) {
    if (row.state != State::Deleted && row.state != State::Unreadable) {
      examine(walk, known, most, row);
    }
  }
  return review::pack(rows);
}

// The rows that differ, with the states that need no look at the objects.
std::vector<BranchWork> differing(const Refs& view, const Refs& real) {
  std::set<std::string> names;
  for (const Refs* refs : {&view, &real}) {
    for (const auto& [name, id] : refs->branches) {
      names.insert(name);
    }
  }
  const auto find = [](const Refs& refs, const std::string& name) {
    const auto found = refs.branches.find(name);
    return found == refs.branches.end() ? std::string{} : found->second;
  };
  std::vector<BranchWork> rows;
  for (const std::string& name : names) {
    BranchWork row;
    row.branch = name;
    row.real_id = find(real, name);
    row.view_id = find(view, name);
    if (view.branches.count(name) == 0) {
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
    row.state = view.head_broken ? State::Unreadable : State::Ahead;
    row.real_id = real.head;
    row.view_id = view.head;
    rows.push_back(std::move(row));
  }
  std::sort(rows.begin(), rows.end(),
            [](const BranchWork& a, const BranchWork& b) { return a.branch < b.branch; });
  return rows;
}

}  // namespace

std::vector<BranchWork> branch_work(const GitDirs& dirs, std::size_t most_commits) {
  review::start_libgit2();
  const Refs view = review::read_refs(dirs.view);
  if (!view.exists && view.branches.empty()) {
    return {};  // no repository there
  }
  const Refs real = review::read_refs(review::disk_reader(dirs.real_git_dir));
  std::vector<BranchWork> rows = differing(view, real);
  const auto needs_look = [](const BranchWork& row) {
    return row.state != State::Deleted && row.state != State::Unreadable;
  };
  if (std::none_of(rows.begin(), rows.end(), needs_look)) {
    return rows;
  }
  std::vector<std::string> known = real.remote_commits;
  for (const auto& [name, id] : real.branches) {
    if (!id.empty()) {
      known.push_back(id);
    }
  }
  if (!real.head.empty()) {
    known.push_back(real.head);
  }
  const sys::Fd upper =
      sys::try_open_at(AT_FDCWD, dirs.upper_objects, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  std::optional<std::string> answer;
  if (!upper || holds_only_files(upper.get(), false)) {
    answer =
        review::run_confined([&] { return examine_all(dirs, upper, known, most_commits, rows); });
  }
  auto examined = answer ? review::unpack(*answer) : std::nullopt;
  if (examined && examined->size() == rows.size()) {
    return *std::move(examined);
  }
  for (BranchWork& row : rows) {
    row.state = needs_look(row) ? State::Unreadable : row.state;
  }
  return rows;
}

}  // namespace shadow
