// SPDX-License-Identifier: MIT
#include "commits/refs/session_git.hpp"

#include "base/text.hpp"
#include "git/repository/git_identity.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/view.hpp"
#include "session/project/real_git_dir.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/real_path.hpp"
#include "sys/processes/process.hpp"

#include <climits>
#include <utility>

namespace shadow::commits {

namespace {

constexpr std::uint64_t kMostGitText = 64U << 20U;  // packed-refs of a large project

git::GitDirReader reader_of(const SessionGit& git) {
  const overlay::View view{git.upper.get(), git.lower.get()};
  git::GitDirReader reader;
  reader.read = [view, own = git.own_prefix,
                 common = git.prefix](const std::string& path) -> std::optional<std::string> {
    return view.read((path == "HEAD" ? own : common) + path, kMostGitText);
  };
  reader.list = [view, common = git.prefix](const std::string& path) {
    std::string whole = common + path;
    while (!whole.empty() && whole.back() == '/') {
      whole.pop_back();
    }
    return view.list(whole);
  };
  return reader;
}

bool take_project_layer(const session::ReviewSession& session, SessionGit& git) {
  if (!overlay::look_beneath(session.upper.get(), ".git").exists()) {
    return false;
  }
  git.upper = sys::duplicate(session.upper.get());
  git.lower = sys::duplicate(session.lower.get());
  git.prefix = ".git/";
  git.own_prefix = ".git/";
  git.dirs.upper_objects = session.dir.path() + "/project/upper/.git/objects";
  return true;
}

bool take_own_layer(const session::ReviewSession& session, SessionGit& git) {
  const auto outside = session::outside_git_dir(session.project.root);
  if (!outside) {
    return false;
  }
  // A relative gitdir: is as good, and tells less of where it lies.
  const auto own = sys::real_path(git.real.dir);
  git.in_project = false;
  git.real = {own.value_or(git.real.dir), *outside};
  git.upper =
      sys::try_open_at(session.dir.fd(), "gitdir/upper", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  git.lower = sys::try_open_at(AT_FDCWD, *outside, O_RDONLY | O_DIRECTORY);
  if (!git.upper || !git.lower) {
    return false;
  }
  if (git.real.dir.size() > outside->size() && is_at_or_below(git.real.dir, *outside)) {
    git.own_prefix = git.real.dir.substr(outside->size() + 1) + "/";
  }
  git.dirs.upper_objects = session.dir.path() + "/gitdir/upper/objects";
  return true;
}

}  // namespace

bool has_ref_tables(const session::RealGitDir& real) {
  const sys::Fd tables = sys::try_open_at(AT_FDCWD, real.common + "/reftable", O_PATH);
  return static_cast<bool>(tables);
}

std::optional<SessionGit> find_session_git(const session::ReviewSession& session) {
  const auto real = session::real_git_dir(session.project.root);
  if (!real || has_ref_tables(*real)) {
    return std::nullopt;
  }
  SessionGit git;
  git.real = *real;
  const bool in_project = real->dir == session.project.root + "/.git";
  if (!(in_project ? take_project_layer(session, git) : take_own_layer(session, git))) {
    return std::nullopt;
  }
  git.dirs.real_git_dir = git.real.dir;
  git.dirs.view = reader_of(git);
  return git;
}

SessionGit new_session_git(const session::ReviewSession& session, const std::string& git_dir) {
  SessionGit git;
  git.real.dir = git.real.common = session.project.root + "/" + git_dir;
  git.upper = sys::duplicate(session.upper.get());
  git.lower = sys::duplicate(session.lower.get());
  git.prefix = git.own_prefix = git_dir + "/";
  git.work_tree = git_dir.substr(0, git_dir.rfind('/') + 1);
  git.objects = sys::try_open_beneath(git.upper.get(), git_dir + "/objects", O_PATH | O_DIRECTORY);
  // By the descriptor: a run may put a link in the place of a directory on the way.
  git.dirs.upper_objects = git.objects ? sys::proc_path(git.objects.get()) + "/." : "";
  git.dirs.real_git_dir = git.real.dir;
  git.dirs.view = reader_of(git);
  return git;
}

std::optional<std::string> git_identity(const std::string& common_dir) {
  const std::string home = sys::environment("HOME").value_or("");
  return git::configured_identity(
      {sys::user_config_dir(home) + "/git/config", home + "/.gitconfig", common_dir + "/config"});
}

}  // namespace shadow::commits
