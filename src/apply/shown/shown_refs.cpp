// SPDX-License-Identifier: MIT
#include "apply/shown/shown_refs.hpp"

#include "shadow/error.hpp"

#include "base/digest.hpp"
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
                                    const std::vector<std::string>& refs) {
  throw UnseenError{fmt::format("cannot apply {}; nothing was written", join(named, ", ")),
                    "'shadow diff --commits -p' shows what is there now; --unseen applies it all "
                    "the same, --no-commits the files alone",
                    ExitCode::Refused, refs};
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
      named.push_back(fmt::format("the commits of {} (changed after they were shown at {})",
                                  quoted(item.work.branch), local_time(row->shown_ns)));
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
        named.push_back(fmt::format("the commits of {} (changed after they were shown at {})",
                                    quoted(work.branch), local_time(row->shown_ns)));
        refs.push_back(work.ref);
      }
    }
  }
  if (!named.empty()) {
    throw_unseen_refs(named, refs);
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
