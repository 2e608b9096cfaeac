// SPDX-License-Identifier: MIT
#include "apply/commit_branch.hpp"

#include "shadow/error.hpp"

#include "apply/promotion/promotion.hpp"
#include "apply/shown/shown.hpp"
#include "apply/shown/shown_refs.hpp"
#include "base/git_names.hpp"
#include "base/text.hpp"
#include "commits/move/commit_promote.hpp"
#include "commits/plan/commit_judge.hpp"
#include "commits/plan/taken_back.hpp"
#include "commits/refs/known_refs.hpp"
#include "commits/refs/ref_names.hpp"
#include "commits/show/session_commits.hpp"
#include "git/commits/branch_tree.hpp"
#include "git/repository/git_refs.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/view.hpp"
#include "sensitive/repositories/new_git_dir.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <sys/stat.h>

namespace shadow::apply {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::string ref_of(const std::string& name) {
  std::string ref = std::string{git::kHeads} + name;
  if (name.empty() || name.front() == '-' || name == "HEAD" || !git::is_ref_name(ref)) {
    throw Error{fmt::format("cannot make a branch {}: git takes no such name", quoted(name))};
  }
  return ref;
}

using Entries = std::map<std::string, Entry>;

// The view's entry at a path, in git's terms.
git::TreeEdit edit_of(const std::string& path, const Entry& entry) {
  git::TreeEdit edit;
  edit.path = path;
  if (entry.kind == EntryKind::File) {
    edit.mode = (entry.mode & S_IXUSR) != 0 ? git::kExecutableMode : git::kFileMode;
  } else if (entry.kind == EntryKind::Symlink) {
    edit.mode = git::kLinkMode;
    edit.target = entry.target;
  }
  return edit;
}

// The paths that the new tree takes from the view: what an apply would take, and what the session
// committed and may have changed again since.
Entries entries_of(const overlay::View& view, const ChosenChanges& chosen,
                   const std::vector<git::TreeDifference>& committed) {
  std::set<std::string> paths;
  for (const ReviewItem& item : chosen.taken) {
    const Change& change = item.change;
    const bool only_directory = change.before.kind != EntryKind::File &&
                                change.before.kind != EntryKind::Symlink &&
                                change.after.kind == EntryKind::Directory;
    if (item.standing != Standing::GitDir && !only_directory) {
      paths.insert(change.path);
    }
  }
  for (const git::TreeDifference& row : committed) {
    const bool left = std::any_of(chosen.left.begin(), chosen.left.end(), [&](const auto& item) {
      return item.item.change.path == row.path;
    });
    const bool module = row.before_mode == git::kModuleMode || row.after_mode == git::kModuleMode;
    if (!left && !module) {
      paths.insert(row.path);
    }
  }
  Entries entries;
  for (const std::string& path : paths) {
    entries.emplace(path, view.look(path));
  }
  return entries;
}

[[noreturn]] void throw_changed(const std::string& path) {
  throw StaleError{"cannot read " + quoted(path) + ": it was changed in the session meanwhile",
                   "look at the changes again",
                   ExitCode::Refused,
                   {path}};
}

// What was judged is what is looked at now.
void require_as_judged(const ChosenChanges& chosen, const Entries& entries) {
  for (const ReviewItem& item : chosen.taken) {
    const Entry& judged = item.change.after;
    const auto now = entries.find(item.change.path);
    if (now != entries.end() &&
        (now->second.kind != judged.kind || now->second.target.str() != judged.target.str())) {
      throw_changed(item.change.path);
    }
  }
}

// A file's content is looked at as it is written.
void check_others(const session::ReviewSession& session, const Promotion& promotion,
                  const Entries& entries, const ShownCheck& shown) {
  std::vector<std::string> refused;
  for (const auto& [path, entry] : entries) {
    if (entry.kind != EntryKind::File && !shown.accepts(path, entry, std::nullopt)) {
      refused.push_back(path);
    }
  }
  if (!refused.empty()) {
    throw_unseen(session, promotion, refused);
  }
}

git::StagedCommit stage_rest(const session::ReviewSession& session, const commits::SessionGit& git,
                             const Promotion& promotion, const Entries& entries,
                             git::CommitRequest commit, const commits::CommitStaging& staging) {
  const ShownCheck shown{session, promotion};
  require_as_judged(promotion.chosen, entries);
  check_others(session, promotion, entries, shown);
  for (const auto& [path, entry] : entries) {
    commit.edits.push_back(edit_of(path, entry));
  }
  std::map<std::string_view, const Step*> judged;
  for (const Step& step : promotion.plan.steps) {
    if (!step.judged.empty()) {
      judged.emplace(step.path, &step);
    }
  }
  commit.accepts = [&](const std::string& path, const Digest& content) {
    const auto step = judged.find(path);
    if (step != judged.end() && step->second->judged != as_bytes(content)) {
      throw_changed(path);
    }
    return shown.accepts(path, entries.at(path), content);
  };
  git::StagedCommit staged = git::stage_commit(git.dirs, commit, staging.path());
  if (!staged.refused.empty()) {
    throw_unseen(session, promotion, {staged.refused});
  }
  if (!staged.fault.empty()) {
    throw Error{"cannot make a commit: " + staged.fault};
  }
  return staged;
}

// Objects are written with SHA-1 names, and refs as files.
void require_known_format(const session::RealGitDir& real) {
  const std::string config = sys::read_file_at(AT_FDCWD, real.common + "/config").value_or("");
  if (commits::has_ref_tables(real) ||
      sensitive::reduced_git_config(config).find("sha256") != std::string::npos) {
    throw Error{"cannot make a branch: the repository's format is not known to shadow"};
  }
}

commits::SessionGit git_of(const session::ReviewSession& session) {
  if (auto git = commits::find_session_git(session)) {
    return std::move(*git);
  }
  // The session did not touch the git directory: all it has is not committed.
  const auto real = session::real_git_dir(session.project.root);
  if (!real) {
    throw Error{fmt::format("cannot make a branch in {}: it is no git repository",
                            quoted(session.project.root))};
  }
  commits::SessionGit git;
  git.real = *real;
  git.dirs.real_git_dir = real->dir;
  git.dirs.view = git::disk_reader(real->dir);
  return git;
}

// Commits below any other ref are listed and shown nowhere, and one that is not read here would
// leave the new branch without parents.
void require_known_head(const git::Refs& viewed) {
  if (viewed.head_broken ||
      !(viewed.head_ref.empty() || viewed.head_ref.starts_with(git::kHeads))) {
    throw Error{
        "cannot make a branch: what the session has checked out is neither a branch nor a "
        "commit",
        "'shadow run -- git switch -c NAME' makes it a branch of the session", ExitCode::Refused};
  }
}

// The session's commits as what the new branch begins with; none where there are no commits at all.
std::vector<BranchWork> as_begin_of(const MadeBranch& made, const std::string& head) {
  std::vector<BranchWork> rows;
  if (!head.empty()) {
    BranchWork& work = rows.emplace_back();
    work.ref = made.ref;
    work.branch = made.ref.substr(git::kHeads.size());
    work.state = BranchWork::State::New;
    work.view_id = head;
  }
  return rows;
}

// The history of the new branch is that of the session's commits, each of them, whatever ref has
// them.
void check_commits(commits::CommitJudge& judge, const MadeBranch& made,
                   const commits::CommitChoice& choice) {
  if (const std::string why = judge.fault_of(made.ref, choice); !why.empty()) {
    throw Error{"cannot take the session's commits: " + why,
                "look at them with 'shadow diff --commits -p'; --allow-sensitive[=PATH] takes them",
                ExitCode::Refused};
  }
}

// The session's commits: their objects, and the differences of their tree and the project's.
git::StagedBranch stage_session(const session::ReviewSession& session,
                                const commits::SessionGit& git, const git::Refs& real,
                                const git::Refs& viewed, const commits::CommitStaging& staging,
                                MadeBranch& made) {
  git::StagedBranch staged = git::stage_branch(git.dirs, viewed.head, real.head, staging.path());
  if (!staged.fault.empty()) {
    throw Error{"cannot take the session's commits: " + staged.fault};
  }
  for (const BranchWork& work : commits::session_commits(session)) {
    if (work.view_id == viewed.head) {
      made.commits = work.commits.size();
      made.more = work.more;
    }
  }
  return staged;
}

std::string identity_for(const commits::SessionGit& git) {
  if (const auto identity = commits::git_identity(git.real.common)) {
    return *identity;
  }
  throw Error{"cannot make a commit: git does not know who you are",
              "git config --global user.name NAME; git config --global user.email ADDRESS"};
}

// As of a branch that arrives from a session.
void require_free_name(const git::Refs& real, const std::string& common, const MadeBranch& made,
                       bool abbreviates) {
  const std::string why =
      real.named.count(made.ref) != 0
          ? "there is one of that name"
          : commits::fault_of_new_ref(made.ref, commits::known_refs(real, common), abbreviates);
  if (!why.empty()) {
    throw Error{fmt::format("cannot make the branch {}: {}",
                            quoted(made.ref.substr(git::kHeads.size())), why),
                "choose another name", ExitCode::Refused};
  }
}

// The branch goes on from the project's HEAD: what the session has not of it would be taken back.
void require_up_to_head(const commits::TakenBackSources& sources, const MadeBranch& made) {
  std::map<std::string, bool> drifted;
  for (const ReviewItem& item : made.chosen.taken) {
    const Verdict verdict = item.resolution.verdict;
    if (item.drift != Drift::None && (verdict == Verdict::Merge || verdict == Verdict::Conflict)) {
      drifted.emplace(item.change.path, verdict == Verdict::Conflict);
    }
  }
  const std::vector<std::string> behind = commits::paths_behind_head(sources, drifted);
  if (!behind.empty()) {
    throw Error{
        "cannot make a branch: the session has not what you committed to " + quoted(behind.front()),
        "'shadow refresh' brings it up to that; 'shadow discard PATH' leaves it yours",
        ExitCode::Conflict, behind};
  }
}

}  // namespace

MadeBranch make_branch(const session::ReviewSession& session, const BranchRequest& request) {
  MadeBranch made;
  made.ref = ref_of(request.name);
  const commits::SessionGit git = git_of(session);
  const git::Refs real = git::read_refs(git::disk_reader(git.real.dir));
  const git::Refs viewed = git::read_refs(git.dirs.view);
  require_known_format(git.real);
  require_known_head(viewed);
  commits::CommitJudge judge{session, git, as_begin_of(made, viewed.head)};
  require_free_name(real, git.real.common, made, judge.abbreviates(made.ref));
  const overlay::View view{session.upper.get(), session.lower.get()};
  git::CommitRequest commit;
  commit.identity = identity_for(git);
  ApplyChoice choice = request.choice;
  choice.on_conflict = OnConflict::Theirs;  // nothing of the project's is overwritten
  Promotion promotion = plan_promotion(session, choice);
  check_promotion(promotion);
  if (!request.unseen) {
    bind_to_shown(session, promotion);
    require_as_shown(session, promotion);
    require_head_as_shown(session, viewed);
  }
  made.chosen = promotion.chosen;
  require_up_to_head({session, git, real}, made);

  const commits::CommitStaging staging{session.state.path()};
  git::StagedBranch own;
  if (!viewed.head.empty() && viewed.head != real.head) {
    const commits::CommitChoice of_commits{
        choice.allow_sensitive, choice.sensitive_paths,
        commits::shown_entries(made.chosen.taken, changes::IgnoredItems::Include)};
    check_commits(judge, made, of_commits);
    made.not_shown = judge.not_shown(of_commits.shown);
    own = stage_session(session, git, real, viewed, staging, made);
  }
  commit.parent = viewed.head;
  commit.open = [&view](const std::string& path) { return view.open(path, O_RDONLY); };
  commit.message = request.message.value_or("shadow: " + printable(session.row.agent));
  commit.time = sys::now_ns() / kSecond;
  const git::StagedCommit staged =
      stage_rest(session, git, promotion, entries_of(view, promotion.chosen, own.differences),
                 std::move(commit), staging);
  made.id = staged.id;
  if (made.id == real.head) {
    throw Error{"cannot make a branch: the session has nothing for it", {}, ExitCode::No};
  }
  made.files = staged.changed;
  own.objects.insert(own.objects.end(), staged.objects.begin(), staged.objects.end());
  if (!request.dry_run) {
    made.apply = commits::write_branch(session, git, staging, own.objects, made.ref, made.id);
  }
  return made;
}

}  // namespace shadow::apply
