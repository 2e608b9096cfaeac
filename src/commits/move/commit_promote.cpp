// SPDX-License-Identifier: MIT
#include "commits/move/commit_promote.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/git_names.hpp"
#include "base/text.hpp"
#include "commits/move/give_back_refs.hpp"
#include "commits/move/ref_mover.hpp"
#include "commits/refs/commit_lock.hpp"
#include "commits/refs/ref_base.hpp"
#include "commits/refs/shadow_ref.hpp"
#include "commits/refs/work_trees.hpp"
#include "git/repository/git_refs.hpp"
#include "promote/journal/lifecycle.hpp"
#include "promote/recover/transaction.hpp"
#include "promote/repository/git_store.hpp"
#include "store/tables/applies.hpp"
#include "store/tables/apply_bases.hpp"
#include "store/tables/bases.hpp"
#include "sys/files/clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace shadow::commits {

using git::GitDirs;

namespace {

bool is_aside(const std::string& ref) {
  return ref.starts_with(git::kShadow);
}

// That the session had what the ref got, and no more than that afterwards: a branch that was made
// of chosen changes is none of its own.
void remember_promoted(store::Database& database, std::int64_t apply, const std::string& ref) {
  store::add_apply_base(database, apply, base_path(ref), store::BaseRole::Found, Base::unknown({}));
}

// For an apply or undo that wrote nothing but refs.
std::int64_t add_row(const ApplySite& site, const std::string& session,
                     const std::optional<std::int64_t>& undoes) {
  store::ApplyRow row;
  row.session = session;
  row.agent = store::agent_of_apply(site.database, session, undoes);
  row.project = site.project;
  row.undoes = undoes;
  row.started_ns = sys::now_ns();
  row.ended_ns = row.started_ns;
  store::Transaction transaction{site.database};
  store::add_apply(site.database, row);
  promote::mark_done(site.database, row);
  transaction.commit();
  return row.id;
}

// Moves refs, each of them noted first.
class JournaledRefMover {
 public:
  JournaledRefMover(const ApplySite& site, std::string session, const promote::GitPlace& place,
                    const std::string& staging, const GitDirs& dirs, std::int64_t apply)
      : site_{site},
        session_{std::move(session)},
        place_{place},
        dirs_{dirs},
        book_{site.state, site.project},
        mover_{place, book_, site.project, staging, "shadow: apply"},
        apply_{apply} {}

  [[nodiscard]] std::int64_t apply() const { return apply_; }

  MovedRef promote(const CommitItem& item) {
    MovedRef moved{static_cast<const PlannedRef&>(item), {}, false};
    if (item.fate == CommitFate::Move) {
      const std::string why = move({item.work.ref, item.work.real_id, item.work.view_id},
                                   item.checked_out, item.differences);
      if (why.empty()) {
        moved.ref = item.work.ref;
        return moved;
      }
      moved.item.fate = CommitFate::Aside;
      moved.item.why = why;
    }
    if (moved.item.fate == CommitFate::Aside) {
      put_aside(moved);
    }
    return moved;
  }

  // Gives the commits a ref of that name, or of one with a number behind it: what an earlier one
  // holds is kept. "" if that failed.
  std::string keep(const std::string& name, const std::string& id, bool& already) {
    constexpr int kMost = 1000;
    for (int number = 1; number <= kMost; ++number) {
      std::string ref = number == 1 ? name : fmt::format("{}-{}", name, number);
      const auto now = promote::read_ref(place_, ref);
      already = now == id;
      if (already) {
        return ref;
      }
      if (now && (now->empty() || !git::is_real_ancestor(dirs_, *now, id))) {
        continue;
      }
      if (move({ref, now.value_or(""), id}, false, {}).empty()) {
        return ref;
      }
    }
    return {};
  }

  // "" when it was done.
  std::string move(const promote::RefMove& what, bool checked_out,
                   const std::vector<git::TreeDifference>& differences) {
    if (is_aside(what.name)) {
      return mover_.move(what, checked_out, differences);  // an undo leaves these
    }
    if (apply_ == 0) {
      apply_ = add_row(site_, session_, undoes_);
    }
    store::add_apply_ref(site_.database, apply_, {what.name, what.from, what.to});
    SHADOW_FAIL_POINT("git-ref-noted");
    std::string why = mover_.move(what, checked_out, differences);
    if (!why.empty()) {
      store::delete_apply_ref(site_.database, apply_, what.name);
    }
    return why;
  }

  void set_undoes(std::int64_t id) { undoes_ = id; }

  [[nodiscard]] std::string aside_of(const std::string& ref) const {
    auto row = store::find_session(site_.database, session_);
    if (!row) {
      row.emplace();
      row->id = session_;
    }
    return shadow_ref(*row, ref);
  }

 private:
  void put_aside(MovedRef& moved) {
    const std::string name =
        moved.item.aside.empty() ? aside_of(moved.item.work.ref) : moved.item.aside;
    moved.ref = keep(name, moved.item.work.view_id, moved.already);
    if (moved.ref.empty()) {
      moved.item.fate = CommitFate::Leave;
    }
  }

  const ApplySite& site_;
  std::string session_;
  const promote::GitPlace& place_;
  const GitDirs& dirs_;
  promote::LockBook book_;
  RefMover mover_;
  std::int64_t apply_;
  std::optional<std::int64_t> undoes_;
};

}  // namespace

void store_objects(const session::ReviewSession& session, const CommitPlan& plan) {
  if (!plan.git || plan.objects.empty() || !plan.writes()) {
    return;
  }
  const ApplySite site = session.site();
  const sys::FileLock lock = lock_for_commits(site);
  const promote::GitPlace place{plan.git->real.dir, plan.git->real.common};
  promote::LockBook book{site.state, site.project};
  book.note_objects(place.common_path());
  promote::add_objects(place.common(), plan.staging->fd(), plan.objects);
}

std::int64_t write_branch(const session::ReviewSession& session, const SessionGit& git,
                          const CommitStaging& staging, const std::vector<std::string>& objects,
                          const std::string& ref, const std::string& id) {
  const ApplySite site = session.site();
  const sys::FileLock lock = lock_for_commits(site);
  const promote::FullDurability full{site.database};
  const promote::GitPlace place{git.real.dir, git.real.common};
  promote::LockBook book{site.state, site.project};
  book.note_objects(place.common_path());
  promote::add_objects(place.common(), staging.fd(), objects);
  JournaledRefMover mover{site, session.row.id, place, staging.path(), git.dirs, 0};
  const std::string why = mover.move({ref, "", id}, false, {});
  if (!why.empty()) {
    throw Error{"cannot make the branch " + quoted(ref) + ": " + why, {}, ExitCode::Refused};
  }
  return mover.apply();
}

CommitOutcome move_refs(const session::ReviewSession& session, const CommitPlan& plan,
                        std::int64_t apply) {
  CommitOutcome outcome;
  if (!plan.git) {
    return outcome;
  }
  if (!plan.writes()) {
    for (const CommitItem& item : plan.items) {
      outcome.refs.push_back({static_cast<const PlannedRef&>(item), {}, false});
    }
    return outcome;
  }
  const ApplySite site = session.site();
  const sys::FileLock lock = lock_for_commits(site);
  const promote::FullDurability full{site.database};
  const promote::GitPlace place{plan.git->real.dir, plan.git->real.common};
  // Arrived commits leave the session as soon as it is idle: noted before, as this may be killed,
  // and after, as a run that ends in between takes the note for done when nothing has arrived yet.
  const auto note = [&session] { store::add_pending_prune(*session.db, session.row.id, ".git"); };
  note();
  JournaledRefMover mover{site, session.row.id, place, plan.staging->path(), plan.git->dirs, apply};
  for (const CommitItem& item : plan.items) {
    outcome.refs.push_back(mover.promote(item));
    if (outcome.refs.back().ref == item.work.ref) {
      remember_promoted(*session.db, mover.apply(), item.work.ref);
      set_base_of_ref(session, *plan.git, item.work.ref, item.work.view_id);
    }
  }
  outcome.apply = mover.apply();
  note();
  return outcome;
}

namespace {

std::string clash_with(const std::vector<git::TreeDifference>& differences,
                       const std::vector<Kept>& kept) {
  for (const git::TreeDifference& row : differences) {
    for (const Kept& path : kept) {
      if (is_at_or_below(row.path, path.path) || is_at_or_below(path.path, row.path)) {
        return fmt::format("{} is left as it is", quoted(path.path));
      }
    }
  }
  return {};
}

// The refs that an apply moved and that the session itself has.
std::set<std::string> promoted_refs(store::Database& database, std::int64_t apply,
                                    const std::vector<store::ApplyRefRow>& rows) {
  std::set<std::string> refs;
  for (const store::ApplyRefRow& row : rows) {
    if (store::find_apply_base_behind(database, apply, base_path(row.name),
                                      store::BaseRole::Found)) {
      refs.insert(row.name);
    }
  }
  return refs;
}

// True if the repository had a branch before the apply that made these.
bool had_branches(const git::Refs& refs, const std::vector<store::ApplyRefRow>& rows) {
  return std::any_of(refs.named.begin(), refs.named.end(), [&rows](const auto& ref) {
    return ref.first.starts_with(git::kHeads) &&
           std::none_of(rows.begin(), rows.end(), [&ref](const store::ApplyRefRow& row) {
             return row.name == ref.first && row.from.empty();
           });
  });
}

// Without its branch a work tree is one of a repository without commits, in which all files are
// new; it may have been that before.
std::string what_holds(const store::ApplyRefRow& row, const git::Refs& refs, bool had_branches,
                       const std::set<std::string>& elsewhere) {
  if (elsewhere.count(row.name) != 0) {
    return "another work tree has the branch checked out";
  }
  return row.name == refs.head_ref && row.from.empty() && had_branches ? "it is checked out" : "";
}

// Undoes one ref.
UndoneRef take_back(JournaledRefMover& mover, const GitDirs& dirs, const promote::GitPlace& place,
                    const store::ApplyRefRow& row, const std::string& head,
                    const std::vector<Kept>& kept, RefGiveBack* session) {
  UndoneRef undone{row.name, {}, {}, false};
  if (promote::read_ref(place, row.name).value_or("") != row.to) {
    undone.why = "it was moved after the apply";
    return undone;
  }
  const bool checked_out = row.name == head;
  std::vector<git::TreeDifference> differences;
  if (checked_out) {
    auto compared = git::compare_commits(dirs, row.to, row.from);
    undone.why = compared.fault.empty() ? clash_with(compared.differences, kept) : compared.fault;
    if (undone.why.empty() && has_operation_in_progress(place.own())) {
      undone.why = "a merge or rebase goes on in the project";
    }
    if (!undone.why.empty()) {
      return undone;
    }
    differences = std::move(compared.differences);
  }
  const bool forward =
      !row.to.empty() && !row.from.empty() && git::is_real_ancestor(dirs, row.to, row.from);
  if (!row.to.empty() && !forward) {
    // The session has dropped promoted commits: nothing else would keep these.
    bool already = false;
    undone.kept_as = mover.keep(mover.aside_of(row.name), row.to, already);
    if (undone.kept_as.empty()) {
      undone.why = "its commits could not be kept";
      return undone;
    }
  }
  if (session != nullptr && forward) {
    session->let_go(row.name, row.from);
  } else if (session != nullptr && !row.to.empty()) {
    undone.pending = session->keep_view(row.name, row.from, checked_out);
  }
  undone.why = mover.move({row.name, row.to, row.from}, checked_out, differences);
  if (session != nullptr && !undone.why.empty()) {
    session->not_moved(row.name, row.to);
    undone.pending = false;
  }
  return undone;
}

}  // namespace

std::vector<UndoneRef> undo_refs(const ApplySite& site, const UndoPlan& plan,
                                 const session::ReviewSession* session, std::int64_t& undo_id) {
  const ApplyRecord& of = plan.of;
  std::vector<UndoneRef> undone;
  const std::vector<store::ApplyRefRow> rows = store::refs_of_apply(site.database, of.id);
  if (rows.empty()) {
    return undone;
  }
  const auto real = session::real_git_dir(site.project);
  if (!real) {
    for (const store::ApplyRefRow& row : rows) {
      undone.push_back({row.name, {}, "the project's repository cannot be found", false});
    }
    return undone;
  }
  const std::set<std::string> promoted = promoted_refs(site.database, of.id, rows);
  // Before the project's lock, as everywhere.
  std::optional<RefGiveBack> give_back;
  if (session != nullptr && !promoted.empty()) {
    give_back.emplace(*session);
  }
  const sys::FileLock lock = lock_for_commits(site);
  const promote::FullDurability full{site.database};
  const promote::GitPlace place{real->dir, real->common};
  GitDirs dirs;
  dirs.real_git_dir = real->dir;
  const git::Refs refs = git::read_refs(git::disk_reader(real->dir));
  const bool had = had_branches(refs, rows);
  const std::set<std::string> elsewhere = checked_out_elsewhere(*real);
  const CommitStaging staging{site.state};
  JournaledRefMover mover{site, of.session, place, staging.path(), dirs, undo_id};
  mover.set_undoes(of.id);
  for (const store::ApplyRefRow& row : rows) {
    if (promote::read_ref(place, row.name).value_or("") == row.from) {
      continue;  // it was to be moved, and was not
    }
    if (std::string why = what_holds(row, refs, had, elsewhere); !why.empty()) {
      undone.push_back({row.name, {}, std::move(why), false});
      continue;
    }
    const bool of_session = give_back && promoted.count(row.name) != 0;
    undone.push_back(take_back(mover, dirs, place, row, refs.head_ref, plan.kept,
                               of_session ? &*give_back : nullptr));
  }
  undo_id = mover.apply();
  return undone;
}

}  // namespace shadow::commits
