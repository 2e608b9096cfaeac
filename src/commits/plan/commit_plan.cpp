// SPDX-License-Identifier: MIT
#include "commits/plan/commit_plan.hpp"

#include "shadow/error.hpp"

#include "base/git_names.hpp"
#include "base/text.hpp"
#include "commits/plan/taken_back.hpp"
#include "commits/refs/commit_lock.hpp"
#include "commits/refs/known_refs.hpp"
#include "commits/refs/ref_base.hpp"
#include "commits/refs/ref_names.hpp"
#include "commits/refs/shadow_ref.hpp"
#include "commits/refs/user_moves.hpp"
#include "commits/refs/work_trees.hpp"
#include "git/commits/index_edit.hpp"
#include "git/repository/git_refs.hpp"
#include "overlay/format/look.hpp"
#include "promote/repository/git_ref_update.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"
#include "sys/files/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::commits {

namespace {

using State = BranchWork::State;

enum class PlannedFor : std::uint8_t { Apply, Report };
enum class Lasting : std::uint8_t { No, Yes };

class Planner {
 public:
  Planner(const session::ReviewSession& session, const std::vector<BranchWork>& rows,
          const std::vector<std::string>& staying, const CommitChoice& choice, CommitPlan& plan,
          PlannedFor what)
      : for_{what},
        session_{session},
        staying_{staying},
        choice_{choice},
        plan_{plan},
        git_{*plan.git},
        place_{git_.real.dir, git_.real.common},
        judge_{session, git_, rows},
        real_{git::read_refs(git::disk_reader(git_.real.dir))},
        viewed_{git::read_refs(git_.dirs.view)},
        elsewhere_{checked_out_elsewhere(git_.real)},
        known_refs_{known_refs(real_, git_.real.common)} {}

  void plan(const BranchWork& work) {
    CommitItem item;
    item.work = work;
    decide(item);
    if (item.fate == CommitFate::Aside && work.commits.empty() && !work.more &&
        work.ref != "refs/stash") {
      // Only the name is new, or moved back: nothing could be lost. Commits that were saved before
      // were reported then.
      item.fate = CommitFate::Leave;
      item.why = work.state == State::Diverged ? std::string{} : item.why;
    }
    if (item.fate == CommitFate::Aside) {
      name_aside(item);
    } else if (item.fate == CommitFate::Move) {
      known_refs_.add(work.ref);
    }
    if (item.fate == CommitFate::Leave) {
      left_.insert(work.ref);
    }
    if (!(item.fate == CommitFate::Leave && item.why.empty())) {
      plan_.items.push_back(std::move(item));
    }
  }

  void add_remarks() {
    plan_.not_shown = judge_.not_shown(choice_.shown, left_);
    if (!viewed_.head_ref.empty() && !real_.head_ref.empty() &&
        viewed_.head_ref != real_.head_ref) {
      plan_.remarks.push_back(
          fmt::format("the session has {} checked out, the project {}: its files arrive in the "
                      "work tree as it is",
                      quoted(short_name(viewed_.head_ref)), quoted(short_name(real_.head_ref))));
    }
    const sys::Fd own =
        sys::try_open_beneath(git_.upper.get(), trimmed_own(), O_RDONLY | O_DIRECTORY);
    if (own && has_operation_in_progress(own.get())) {
      plan_.remarks.emplace_back(
          "a merge or rebase goes on in the session; only what is committed is a commit");
    }
  }

 private:
  static std::string short_name(const std::string& ref) {
    for (const std::string_view start : {git::kHeads, git::kTags, std::string_view{"refs/"}}) {
      if (ref.starts_with(start)) {
        return ref.substr(start.size());
      }
    }
    return ref;
  }

  [[nodiscard]] std::string trimmed_own() const {
    return git_.own_prefix.substr(0, git_.own_prefix.size() - (git_.own_prefix.empty() ? 0U : 1U));
  }

  static void leave(CommitItem& item, std::string why) {
    item.fate = CommitFate::Leave;
    item.why = std::move(why);
  }
  static void put_aside(CommitItem& item, std::string why, Lasting lasting = Lasting::No) {
    item.fate = CommitFate::Aside;
    item.why = std::move(why);
    item.lasting = lasting == Lasting::Yes;
  }

  // An earlier apply may have kept them, under a name with a number if that of the ref was taken.
  void name_aside(CommitItem& item) const {
    item.aside = shadow_ref(session_.row, item.work.ref);
    for (const auto& [name, id] : real_.aside) {
      const bool ours =
          name == item.aside ||
          (name.starts_with(item.aside + "-") &&
           name.find_first_not_of("0123456789", item.aside.size() + 1) == std::string::npos);
      if (ours && id == item.work.view_id) {
        item.aside = name;
        item.already = true;
        return;
      }
    }
  }

  // Of what an apply would copy, what decides. The differences are looked at where it comes to
  // that.
  static git::StagedBranch look_at(const BranchWork& work) {
    git::StagedBranch found;
    found.fast_forward = work.state != State::Diverged;
    return found;
  }

  void add_differences(CommitItem& item) {
    constexpr std::size_t kMostCompared = 2;
    const BranchWork& work = item.work;
    if (for_ == PlannedFor::Report &&
        (work.ref == viewed_.head_ref || ++compared_ <= kMostCompared)) {
      item.differences =
          git::compare_in_session(git_.dirs, work.real_id.empty() ? real_.head : work.real_id,
                                  work.view_id, git::ComparedFrom::WhereParted)
              .differences;
    }
  }

  void decide(CommitItem& item) {
    const BranchWork& work = item.work;
    if (work.state == State::Deleted) {
      leave(item, "deleted in the session; the project keeps it");
      return;
    }
    if (work.state == State::Unreadable) {
      leave(item, "it cannot be read");
      return;
    }
    const bool branch = work.ref.starts_with(git::kHeads);
    // A new branch is compared with what the project has checked out, or had when it began.
    std::optional<std::string> base;
    if (branch) {
      base = work.real_id.empty() ? real_.head : work.real_id;
    }
    git::StagedBranch staged =
        for_ == PlannedFor::Report
            ? look_at(work)
            : git::stage_branch(git_.dirs, work.view_id, base, plan_.staging->path(), reuse_,
                                git::ComparedFrom::WhereParted);
    if (!staged.fault.empty()) {
      reuse_ = git::ReuseStaged::No;
      leave(item, staged.fault);
      return;
    }
    add_objects(staged.objects);
    if (branch) {
      item.differences = std::move(staged.differences);
      decide_branch(item, staged.fast_forward);
    } else if (work.ref.starts_with(git::kTags) && work.real_id.empty()) {
      std::string why = fault_of_name(work);
      why = why.empty() ? judge_.fault_of(work.ref, choice_) : why;
      item.fate = CommitFate::Move;
      if (!why.empty()) {
        put_aside(item, std::move(why));
      }
    } else {
      put_aside(item, work.ref.starts_with(git::kTags) ? "the project has another tag of that name"
                      : work.ref == "HEAD"             ? "no branch has it"
                                                       : "a stash is not mixed with the project's");
    }
  }

  void decide_branch(CommitItem& item, bool fast_forward) {
    const BranchWork& work = item.work;
    const auto base = base_of_ref(session_, git_, work.ref);
    if (base && *base != work.real_id && !goes_on(work, *base, fast_forward)) {
      put_aside(item,
                work.real_id.empty() ? "the project has deleted the branch"
                                     : "the project's branch moved too",
                Lasting::Yes);
    } else if (!work.real_id.empty() && !fast_forward) {
      put_aside(item, base ? "rewritten in the session" : "not a fast-forward of the project's",
                Lasting::Yes);
    } else if (elsewhere_.count(work.ref) != 0) {
      put_aside(item, "another work tree has the branch checked out");
    } else if (std::string name = fault_of_name(work); !name.empty()) {
      put_aside(item, std::move(name));
    } else if (std::string why = judge_.fault_of(work.ref, choice_); !why.empty()) {
      put_aside(item, std::move(why));
    } else if (std::string path = path_taken_back(item); !path.empty()) {
      put_aside(item,
                fmt::format("it takes back what you committed to {}, as it was made from an "
                            "older version",
                            quoted(path)),
                Lasting::Yes);
    } else {
      item.fate = CommitFate::Move;
      item.checked_out = work.ref == real_.head_ref;
      if (std::string in_the_way = item.checked_out ? what_stops_checkout(item) : std::string{};
          !in_the_way.empty()) {
        item.checked_out = false;
        put_aside(item, std::move(in_the_way));
      }
    }
  }

  std::string path_taken_back(CommitItem& item) {
    add_differences(item);
    return commits::path_taken_back({session_, git_, real_}, item.work, item.differences, judge_,
                                    choice_);
  }

  // The project's branch is no longer where the session began, and all that it has by now the
  // session's goes on from: the user took commits of the session by hand. One that the user has
  // dropped again is not to come back with those on top of it.
  [[nodiscard]] bool goes_on(const BranchWork& work, const std::string& base,
                             bool fast_forward) const {
    if (base.empty() || work.real_id.empty() || !fast_forward) {
      return false;
    }
    std::vector<std::string> left = {base};
    for (const UserMove& move : user_moves(session_, git_, work.ref)) {
      left.push_back(move.from);
    }
    return git::only_in_tip(git_.dirs, left, work.view_id, work.real_id).empty();
  }

  // Moving what is checked out changes what `git status` compares the work tree with.
  std::string what_stops_checkout(const CommitItem& item) {
    if (viewed_.head_ref != item.work.ref) {
      return "the project has it checked out, the session has not";
    }
    if (has_operation_in_progress(place_.own())) {
      return "a merge or rebase goes on in the project";
    }
    for (const git::TreeDifference& row : item.differences) {
      if (row.before_mode == git::kModuleMode || row.after_mode == git::kModuleMode) {
        return fmt::format("it changes the sub-module {}", quoted(row.path));
      }
      for (const std::string& path : staying_) {
        if (is_at_or_below(row.path, path) || is_at_or_below(path, row.path)) {
          return fmt::format("{} stays in the session", quoted(path));
        }
      }
    }
    try {
      return what_index_has(item);
    } catch (const Error&) {
      if (for_ == PlannedFor::Apply) {
        throw;
      }
      return {};  // a session can be looked at where nothing can be written, as on a full disk
    }
  }

  std::string what_index_has(const CommitItem& item) {
    if (!plan_.staging) {
      plan_.staging = std::make_shared<CommitStaging>(session_.state.path());
    }
    const std::string copy = plan_.staging->path() + "/index";
    copy_index(place_.own(), copy);
    const git::IndexEdit edited = git::edit_index(copy, item.differences, {});
    ::unlink(copy.c_str());
    return edited.fault.empty() && !edited.staged.empty()
               ? fmt::format("{} is staged or marked in the project", quoted(edited.staged.front()))
               : edited.fault;
  }

  // The fault of a new ref's name; "" for a ref that the project has.
  [[nodiscard]] std::string fault_of_name(const BranchWork& work) const {
    return work.real_id.empty()
               ? fault_of_new_ref(work.ref, known_refs_, judge_.abbreviates(work.ref))
               : std::string{};
  }

  void add_objects(const std::vector<std::string>& ids) {
    for (const std::string& id : ids) {
      if (known_.insert(id).second) {
        plan_.objects.push_back(id);
      }
    }
  }

  PlannedFor for_;
  std::size_t compared_ = 0;
  const session::ReviewSession& session_;
  const std::vector<std::string>& staying_;
  const CommitChoice& choice_;
  CommitPlan& plan_;
  const SessionGit& git_;
  promote::GitPlace place_;
  CommitJudge judge_;
  git::Refs real_;
  git::Refs viewed_;
  std::set<std::string> elsewhere_;
  KnownRefs known_refs_;
  std::set<std::string> known_;
  std::set<std::string> left_;  // refs of which nothing goes
  git::ReuseStaged reuse_ = git::ReuseStaged::Yes;
};

}  // namespace

bool CommitPlan::writes() const {
  return std::any_of(items.begin(), items.end(),
                     [](const CommitItem& item) { return item.fate != CommitFate::Leave; });
}

namespace {

CommitPlan make_plan(const session::ReviewSession& session, const std::vector<BranchWork>& rows,
                     const std::vector<std::string>& staying, const CommitChoice& choice,
                     PlannedFor what) {
  CommitPlan plan;
  if (rows.empty()) {
    return plan;
  }
  plan.git = find_session_git(session);
  if (!plan.git) {
    return plan;
  }
  if (what == PlannedFor::Apply) {
    plan.staging = std::make_shared<CommitStaging>(session.state.path());
  }
  Planner planner{session, rows, staying, choice, plan, what};
  for (const BranchWork& work : rows) {
    planner.plan(work);
  }
  planner.add_remarks();
  return plan;
}

}  // namespace

CommitPlan plan_commits(const session::ReviewSession& session, const std::vector<BranchWork>& rows,
                        const std::vector<std::string>& staying, const CommitChoice& choice) {
  return make_plan(session, rows, staying, choice, PlannedFor::Apply);
}

CommitPlan foresee_commits(const session::ReviewSession& session,
                           const std::vector<BranchWork>& rows,
                           const std::vector<std::string>& staying, const CommitChoice& choice) {
  return make_plan(session, rows, staying, choice, PlannedFor::Report);
}

}  // namespace shadow::commits
