// SPDX-License-Identifier: MIT
#include "apply/shown/shown_refs.hpp"

#include "shadow/error.hpp"

#include "base/digest.hpp"
#include "base/git_names.hpp"
#include "base/text.hpp"
#include "base/time_text.hpp"
#include "store/tables/shown.hpp"
#include "sys/files/clock.hpp"

#include <fmt/format.h>

#include <string>

namespace shadow::apply {

namespace {

// Among the paths that were shown: nothing below the project's git directory is shown as a file.
std::string row_of(const std::string& ref) {
  return ".git/" + ref;
}

// A new repository's refs arrive as files, whose paths have no empty name in them.
std::string row_of(const std::string& ref, const std::string& new_git_dir) {
  return new_git_dir.empty() ? row_of(ref) : new_git_dir + "//" + ref;
}

[[noreturn]] void throw_unseen_refs(const std::vector<std::string>& named,
                                    const std::vector<std::string>& refs,
                                    const char* files_alone = ", --no-commits the files alone") {
  throw UnseenError{
      fmt::format("cannot apply {}; nothing was written", join(named, ", ")),
      fmt::format(
          "'shadow diff --commits -p' shows what is there now; --unseen applies it all the same{}",
          files_alone),
      ExitCode::Refused, refs};
}

std::string since_shown(const std::string& branch, const store::ShownRow& row) {
  return fmt::format("the commits of {} (changed after they were shown at {})", quoted(branch),
                     local_time(row.shown_ns));
}

}  // namespace

void keep_shown_refs(const session::ReviewSession& session, const std::vector<BranchWork>& rows,
                     const std::string& new_git_dir) {
  const std::int64_t now = sys::now_ns();
  store::Transaction transaction{*session.db};
  for (const BranchWork& work : rows) {
    if (!work.view_id.empty()) {
      store::put_shown(*session.db, session.row.id, row_of(work.ref, new_git_dir),
                       {digest_bytes(work.view_id), now});
    }
  }
  transaction.commit();
}

void require_refs_as_shown(const session::ReviewSession& session, const commits::CommitPlan& plan) {
  std::vector<std::string> named;
  std::vector<std::string> refs;
  for (const commits::CommitItem& item : plan.items) {
    const auto row = store::find_shown(*session.db, session.row.id, row_of(item.work.ref));
    if (item.fate == CommitFate::Move && row && row->digest != digest_bytes(item.work.view_id)) {
      named.push_back(since_shown(item.work.branch, *row));
      refs.push_back(item.work.ref);
    }
  }
  if (!refs.empty()) {
    throw_unseen_refs(named, refs);
  }
}

void require_histories_as_shown(const session::ReviewSession& session,
                                const std::vector<NewHistory>& histories) {
  std::vector<std::string> named;
  std::vector<std::string> refs;
  for (const NewHistory& history : histories) {
    for (const BranchWork& work : history.rows) {
      const auto row =
          store::find_shown(*session.db, session.row.id, row_of(work.ref, history.git_dir));
      if (row && row->digest != digest_bytes(work.view_id)) {
        named.push_back(since_shown(work.branch, *row));
        refs.push_back(work.ref);
      }
    }
  }
  if (!named.empty()) {
    throw_unseen_refs(named, refs);
  }
}

LookedRefs looked_refs(const session::ReviewSession& session, const commits::CommitPlan& plan,
                       const Promotion& promotion) {
  LookedRefs looked;
  const auto add = [&](const std::string& row) {
    ++looked.all;
    looked.never += store::find_shown(*session.db, session.row.id, row) ? 0U : 1U;
  };
  for (const commits::CommitItem& item : plan.items) {
    const BranchWork& work = item.work;
    if (item.fate == CommitFate::Move &&
        (!work.commits.empty() || work.more || !item.differences.empty())) {
      add(row_of(work.ref));
    }
  }
  for (const NewHistory& history : promotion.histories) {
    for (const BranchWork& work :
         history.fault.empty() ? history.rows : std::vector<BranchWork>{}) {
      if (!work.commits.empty() || work.more) {
        add(row_of(work.ref, history.git_dir));
      }
    }
  }
  return looked;
}

void require_head_as_shown(const session::ReviewSession& session, const git::Refs& viewed) {
  const std::string ref = viewed.detached ? "HEAD" : viewed.head_ref;
  const auto row = store::find_shown(*session.db, session.row.id, row_of(ref));
  if (row && row->digest != digest_bytes(viewed.head)) {
    const bool branch = ref.starts_with(git::kHeads);
    throw_unseen_refs({since_shown(branch ? ref.substr(git::kHeads.size()) : ref, *row)}, {ref},
                      "");
  }
}

void forget_shown_histories(const session::ReviewSession& session,
                            const std::vector<NewHistory>& histories) {
  for (const NewHistory& history : histories) {
    store::forget_shown_below(*session.db, session.row.id, history.git_dir + "/");
  }
}

void forget_shown_refs(const session::ReviewSession& session, const commits::CommitPlan& plan) {
  for (const commits::CommitItem& item : plan.items) {
    if (item.fate == CommitFate::Move) {
      store::forget_shown(*session.db, session.row.id, row_of(item.work.ref));
    }
  }
}

}  // namespace shadow::apply
