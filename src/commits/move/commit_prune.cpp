// SPDX-License-Identifier: MIT
// A session's git directory after its commits were promoted: what says no more than the real one
// goes, so that the next run sees the project's own repository again.
#include "commits/move/commit_prune.hpp"

#include "shadow/error.hpp"

#include "base/git_names.hpp"
#include "base/text.hpp"
#include "bases/ledger/renew_bases.hpp"
#include "bases/ledger/seen.hpp"
#include "commits/move/commit_arrived.hpp"
#include "commits/refs/commit_staging.hpp"
#include "commits/refs/ref_base.hpp"
#include "commits/refs/writable_git_dir.hpp"
#include "git/commits/branch_work.hpp"
#include "git/commits/index_edit.hpp"
#include "git/repository/git_refs.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/view.hpp"
#include "overlay/write/prune.hpp"
#include "promote/repository/git_ref_update.hpp"
#include "session/directory/idle.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace shadow::commits {

namespace {

constexpr std::size_t kFanOut = 2;
constexpr std::uint64_t kMostOfRef = std::uint64_t{64} << 20U;

class Leftovers {
 public:
  Leftovers(const session::ReviewSession& session, const SessionGit& git)
      : session_{session},
        git_{git},
        above_{-1, git.upper.get()},
        below_{-1, git.lower.get()},
        place_{git.real.dir, git.real.common} {}

  // The topmost paths of the layer that say no more than the real repository.
  std::vector<std::string> find() {
    look_at_objects();
    look_at_arrived();
    if (!git_.prefix.empty()) {
      (void)walk(git_.prefix.substr(0, git_.prefix.size() - 1));
    } else {
      walk_children("");
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] sys::Fd open_dir(const std::string& path) const {
    return sys::try_open_beneath(git_.upper.get(), path, O_RDONLY | O_DIRECTORY);
  }

  // Objects by their ids, asked about all at once.
  void look_at_objects() {
    const std::string objects = git_.prefix + "objects";
    const sys::Fd dir = open_dir(objects);
    std::vector<std::string> ids;
    for (const sys::DirEntry& fan : dir ? sys::list_dir(dir.get()) : std::vector<sys::DirEntry>{}) {
      const sys::Fd below =
          fan.name.size() == kFanOut ? open_dir(objects + "/" + fan.name) : sys::Fd{};
      for (const sys::DirEntry& entry :
           below ? sys::list_dir(below.get()) : std::vector<sys::DirEntry>{}) {
        if (git::is_object_id(fan.name + entry.name)) {
          ids.push_back(fan.name + entry.name);
        }
      }
    }
    for (std::string& id : git::real_objects(git_.dirs, ids)) {
      real_.insert(std::move(id));
    }
  }

  // Branches that the user merged by hand. The index is that of the branch that is checked out, or
  // has staged work; both stay.
  void look_at_arrived() {
    const std::string head = git::read_refs(git_.dirs.view).head_ref;
    for (const BranchWork& work : git::branch_work(git_.dirs, 0)) {
      if (has_arrived(session_, git_, work) && !work.real_id.empty() &&
          (git::is_real_ancestor(git_.dirs, work.view_id, work.real_id) ||
           was_applied(session_, git_, work)) &&
          (work.ref != head || follow_with_index(work))) {
        arrived_.insert(work.ref);
      }
    }
  }

  // True if the session's index would equal the project's had it followed the branch.
  bool follow_with_index(const BranchWork& work) {
    const std::string path = git_.own_prefix + "index";
    const sys::Fd above = sys::try_open_beneath(git_.upper.get(), path, O_RDONLY | O_NONBLOCK);
    const Entry own = above ? overlay::look_fd(above.get()) : Entry{};
    if (own.kind != EntryKind::File || own.size > kMostFollowedIndex) {
      return !overlay::look_beneath(git_.upper.get(), path).exists();
    }
    const CommitStaging staging{session_.state.path()};
    const std::string copy = staging.path() + "/index";
    sys::copy_contents(
        above.get(),
        sys::open_path(copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, S_IRUSR | S_IWUSR).get());
    const auto compared = git::compare_commits(git_.dirs, work.view_id, work.real_id);
    index_arrived_ = compared.fault.empty() &&
                     git::edit_index(copy, compared.differences, {}).ok() &&
                     git::same_entries(copy, git_.real.dir + "/index");
    return index_arrived_;
  }

  // True if everything at and below the path can go.
  bool walk(const std::string& path) {
    const Entry entry = overlay::look_beneath(git_.upper.get(), path);
    if (entry.kind == EntryKind::Directory) {
      const std::size_t before = found_.size();
      if (!walk_children(path) || hides_something(path)) {
        return false;
      }
      found_.resize(before);
      found_.push_back(path);
      return true;
    }
    if (entry.kind == EntryKind::File && is_redundant(path)) {
      found_.push_back(path);
      return true;
    }
    return false;
  }

  // A directory that the session made is marked so that nothing below it shows. Where only objects,
  // refs and their logs can be, what the project has there by now is to show.
  bool hides_something(const std::string& path) {
    const std::string name =
        path.size() > git_.prefix.size() ? path.substr(git_.prefix.size()) : "";
    const bool known =
        name.starts_with("objects/") || name.starts_with("refs/") || name.starts_with("logs/");
    const sys::Fd dir = open_dir(path);
    return !known && dir && overlay::is_opaque(dir.get());
  }

  bool walk_children(const std::string& path) {
    bool all = true;
    const sys::Fd dir = open_dir(path);
    if (!dir) {
      return false;
    }
    for (const sys::DirEntry& entry : sys::list_dir_sorted(dir.get())) {
      all = walk(sys::join_path(path, entry.name)) && all;
    }
    return all;
  }

  [[nodiscard]] bool is_real_id(const std::string& id) {
    if (id.find_first_not_of('0') == std::string::npos || real_.count(id) != 0) {
      return true;
    }
    if (git::is_object_id(id) && !git::real_objects(git_.dirs, {id}).empty()) {
      real_.insert(id);
      return true;
    }
    return false;
  }

  bool is_redundant(const std::string& path) {
    const bool own = !git_.own_prefix.empty() && path.starts_with(git_.own_prefix);
    const std::string name = path.substr(own ? git_.own_prefix.size() : git_.prefix.size());
    if (name.starts_with("objects/")) {
      const std::string id =
          name.substr(8, kFanOut) + (name.size() > 8 + kFanOut ? name.substr(8 + kFanOut + 1) : "");
      return real_.count(id) != 0;
    }
    if (name.starts_with("refs/")) {
      const auto text = above_.read(path, kMostOfRef);
      return text && (arrived_.count(name) != 0 ||
                      promote::read_ref(place_, name) == text->substr(0, git::kHexId));
    }
    if (name.starts_with("logs/")) {
      return log_is_redundant(path) && !tells_base(name.substr(5));
    }
    if (name == "index") {
      return index_arrived_ || index_is_redundant(path);
    }
    if (name == "COMMIT_EDITMSG") {
      return true;  // the message of the last commit, which is in it
    }
    if (name == "ORIG_HEAD") {
      const auto text = above_.read(path, kMostOfRef);
      return text && is_real_id(text->substr(0, git::kHexId));
    }
    return equal(path);
  }

  // The log of a ref that stays: its beginning may be all that tells what the session went on from.
  bool tells_base(const std::string& ref) {
    const std::string path = git_.prefix + ref;
    return ref.starts_with("refs/") &&
           overlay::look_beneath(git_.upper.get(), path).kind == EntryKind::File &&
           !is_redundant(path);
  }

  // Every commit that it names is in the real repository.
  bool log_is_redundant(const std::string& path) {
    const auto text = above_.read(path, kMostOfRef);
    for (const std::string& line : text ? split(*text, '\n') : std::vector<std::string>{}) {
      if (line.empty()) {
        continue;
      }
      if (line.size() <= 2 * git::kHexId + 1 || !is_real_id(line.substr(0, git::kHexId)) ||
          !is_real_id(line.substr(git::kHexId + 1, git::kHexId))) {
        return false;
      }
    }
    return text.has_value();
  }

  bool index_is_redundant(const std::string& path) {
    const sys::Fd above = sys::try_open_beneath(git_.upper.get(), path, O_RDONLY | O_NONBLOCK);
    const sys::Fd below = sys::try_open_beneath(git_.lower.get(), path, O_RDONLY | O_NONBLOCK);
    return above && below && overlay::look_fd(below.get()).kind == EntryKind::File &&
           git::same_entries(sys::proc_path(above.get()), sys::proc_path(below.get()));
  }

  bool equal(const std::string& path) {
    const auto above = above_.read(path, kMostOfRef);
    return above && above == below_.read(path, kMostOfRef) &&
           overlay::look_beneath(git_.upper.get(), path).mode ==
               overlay::look_beneath(git_.lower.get(), path).mode;
  }

  const session::ReviewSession& session_;
  const SessionGit& git_;
  overlay::View above_;
  overlay::View below_;
  promote::GitPlace place_;
  std::set<std::string> real_;
  std::set<std::string> arrived_;  // refs
  bool index_arrived_ = false;
  std::vector<std::string> found_;
};

// The next run starts from what the project has by then. `paths` are those of the layer.
void forget_bases_of_refs(const session::ReviewSession& session, const SessionGit& git,
                          const std::vector<std::string>& paths) {
  const std::string refs = base_path("refs/");
  const std::size_t outside = git.in_project ? 0 : base_path("").size();
  for (const auto& row : store::all_bases(*session.db, session.row.id)) {
    const std::string& path = row.first;
    const bool gone = path.starts_with(refs) &&
                      std::any_of(paths.begin(), paths.end(), [&](const std::string& above) {
                        return is_at_or_below(path.substr(outside), above);
                      });
    if (gone) {
      store::delete_base(*session.db, session.row.id, path);
    }
  }
}

void drop(const session::ReviewSession& session, const SessionGit& git,
          const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    overlay::drop(git.upper.get(), git.lower.get(), path);
  }
  store::Transaction transaction{*session.db};
  if (git.in_project) {
    bases::renew_bases(session, paths);
    bases::forget_gone(session, paths);
  }
  forget_bases_of_refs(session, git, paths);
  transaction.commit();
}

}  // namespace

void drop_promoted(const session::ReviewSession& session) {
  try {
    if (const auto git = find_session_git(session)) {
      if (const auto tree = open_git_tree(git->upper.get(), *git)) {
        remove_left_locks(*tree, *git);
      }
      drop(session, *git, Leftovers{session, *git}.find());
    }
  } catch (const Error&) {
    return;  // the session keeps what the project has as well
  }
}

}  // namespace shadow::commits
