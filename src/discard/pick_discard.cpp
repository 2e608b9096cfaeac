// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "base/text.hpp"
#include "bases/ledger/hidden_names.hpp"
#include "bases/ledger/renew_bases.hpp"
#include "bases/ledger/seen.hpp"
#include "bases/ledger/settle_refresh.hpp"
#include "discard/discard.hpp"
#include "discard/left_copies.hpp"
#include "discard/live_discard.hpp"
#include "live/hold.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/stable_read.hpp"
#include "overlay/read/view.hpp"
#include "overlay/write/lift.hpp"
#include "overlay/write/prune.hpp"
#include "overlay/write/rewrite.hpp"
#include "refresh/emptied.hpp"
#include "review/hunks.hpp"
#include "session/directory/background.hpp"
#include "session/directory/idle.hpp"
#include "store/tables/base_attributes.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/shown.hpp"
#include "store/tables/tallies.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace shadow::discard {

namespace {

constexpr const char* kDiscardHunks = "discard hunks";

// A file of the upper as it will be.
struct Rewrite {
  const hunks::Pick* pick;
  std::string bytes;
};

// The plan of a discard, complete before anything is done.
struct Plan {
  std::vector<std::string> dropped;
  std::vector<std::string> copies;  // that stay: left_copies()
  std::vector<Rewrite> rewritten;
};

void require_as_reviewed(const overlay::View& view, const ReviewItem& item) {
  const Entry now = view.look(item.change.path);
  const Entry& then = item.change.after;
  const bool same =
      now.kind == then.kind &&
      (now.kind == EntryKind::Absent || now.kind == EntryKind::Directory || same_state(now, then));
  if (!same) {
    overlay::throw_changed_meanwhile("cannot discard", item.change.path);
  }
}

std::string rest_of(const session::ReviewSession& session, const hunks::Pick& pick) {
  auto texts = hunks::read_texts(session, pick.offer.item, Shown::Session);
  if (!texts) {
    throw Error{"cannot discard a part of " + quoted(pick.offer.item.change.path) +
                ": it is too large"};
  }
  if (hunks::takes(pick, PartKind::Whole)) {
    return std::move(texts->before);
  }
  std::vector<Hunk> undone = hunks::taken_hunks(pick);
  std::transform(undone.begin(), undone.end(), undone.begin(), review::reversed);
  return review::apply_hunks(texts->after, std::move(undone));
}

std::vector<std::string> paths_of(const std::vector<Rewrite>& rewritten) {
  std::vector<std::string> paths;
  paths.reserve(rewritten.size());
  for (const Rewrite& one : rewritten) {
    paths.push_back(one.pick->offer.item.change.path);
  }
  return paths;
}

Plan make_plan(const session::ReviewSession& session, const std::vector<hunks::Pick>& picks) {
  const overlay::View view{session.upper.get(), session.lower.get()};
  Plan plan;
  for (const hunks::Pick& pick : picks) {
    if (hunks::takes_nothing(pick)) {
      continue;
    }
    require_as_reviewed(view, pick.offer.item);
    for (const ReviewItem& item : pick.offer.with) {
      require_as_reviewed(view, item);
    }
    if (hunks::takes_everything(pick)) {
      plan.dropped.push_back(pick.offer.item.change.path);
    } else {
      plan.rewritten.push_back({&pick, rest_of(session, pick)});
    }
  }
  return plan;
}

// Through the view where the session is live.
void rewrite(const session::ReviewSession& session, const Rewrite& rewrite, live::ViewEdit* edit) {
  const hunks::Pick& pick = *rewrite.pick;
  const Change& change = pick.offer.item.change;
  const int root = (hunks::takes(pick, PartKind::Attributes) ? session.lower : session.upper).get();
  const sys::Fd attributes = sys::open_beneath(root, change.path, O_PATH);
  overlay::NewContent content;
  content.bytes = rewrite.bytes;
  content.mode = (hunks::takes(pick, PartKind::Mode) ? change.before : change.after).mode;
  content.attributes_of = attributes.get();
  if (edit != nullptr) {
    edit->write(change.path, content, change.after);
  } else {
    overlay::rewrite({session.upper.get(), session.dir.fd()}, change.path, content);
  }
}

// New directories of which nothing is left were not offered themselves; they go with what was in
// them.
void drop_emptied_directories(const session::ReviewSession& session,
                              std::vector<std::string>& dropped) {
  const overlay::View view{session.upper.get(), session.lower.get()};
  std::set<std::string, std::greater<>> above;  // children before their parents
  for (const std::string& path : dropped) {
    std::string_view parent = sys::split_path(path).parent;
    for (; !parent.empty(); parent = sys::split_path(parent).parent) {
      above.emplace(parent);
    }
  }
  for (const std::string& path : above) {
    if (overlay::look_beneath(session.upper.get(), path).kind == EntryKind::Directory &&
        !overlay::look_beneath(session.lower.get(), path).exists() && view.list(path).empty()) {
      overlay::drop(session.upper.get(), session.lower.get(), path);
      dropped.push_back(path);
    }
  }
}

// Within a transaction.
void record(const session::ReviewSession& session, const Plan& plan) {
  const std::vector<std::string> rewritten = paths_of(plan.rewritten);
  bases::renew_bases(session, plan.dropped);
  std::vector<std::string> touched = plan.dropped;
  touched.insert(touched.end(), rewritten.begin(), rewritten.end());
  bases::forget_gone(session, touched);
  bases::note_rewritten(session, rewritten);
  for (const std::string& path : rewritten) {
    store::forget_base_attributes(*session.db, session.row.id, path);
  }
  for (const std::string& path : touched) {
    store::forget_shown_below(*session.db, session.row.id, path);
  }
  record_left_copies(session, plan.copies);
  store::outdate_tally(*session.db, session.row.id, store::Touched::Anything);
}

void carry_out_idle(const session::ReviewSession& session, Plan& plan) {
  bases::settle_refresh(session);
  bases::note_renewals(session, plan.dropped);
  for (const Rewrite& one : plan.rewritten) {
    rewrite(session, one, nullptr);
  }
  const overlay::StaysHidden stays_hidden =
      bases::hidden_by_session(*session.db, session.dir, session.lower.get());
  for (const std::string& path : plan.dropped) {
    overlay::drop(session.upper.get(), session.lower.get(), path, stays_hidden);
  }
  drop_emptied_directories(session, plan.dropped);
  (void)refresh::remove_emptied(session, nullptr, {plan.dropped.begin(), plan.dropped.end()});
  overlay::prune(session.upper.get(), session.lower.get(), paths_of(plan.rewritten), {},
                 stays_hidden);
  bases::record_renewals(session, [&] { record(session, plan); });
}

void carry_out_live(const session::ReviewSession& session, const live::HeldSession& held,
                    const Plan& plan) {
  std::vector<std::string> touched = paths_of(plan.rewritten);
  touched.insert(touched.end(), plan.dropped.begin(), plan.dropped.end());
  held.view->require_unwritten(session.dir, touched, kDiscardHunks);
  live::ViewEdit edit{held.trees(session)};
  for (const Rewrite& one : plan.rewritten) {
    rewrite(session, one, &edit);
  }
  constexpr int kAttempts = 5;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    restore_in_view(edit, session, plan.dropped);
    store::Transaction transaction{*session.db};
    record(session, plan);
    if (record_copies(session, edit)) {
      transaction.commit();
      return;
    }
  }
  throw StaleError{std::string{"cannot "} + kDiscardHunks + ": the project changes all the time",
                   "try again", ExitCode::Refused};
}

}  // namespace

void end_runs(const session::ReviewSession& session) {
  (void)session::make_idle(session.dir, kDiscardHunks, session::LiveRuns::Kill);
}

std::vector<hunks::Offer> discard_offers(const std::vector<ReviewItem>& items) {
  return hunks::make_offers(items, [](const ReviewItem& item) {
    return item.standing == Standing::Normal ||
           (item.standing == Standing::GitDir && item.change.kind == ChangeKind::Added &&
            item.change.after.kind == EntryKind::Directory &&
            sys::split_path(item.change.path).name == ".git");
  });
}

void discard_picked(const session::ReviewSession& session, const std::vector<hunks::Pick>& picks) {
  const live::HeldSession held =
      live::hold_session(session, kDiscardHunks, session::LiveRuns::Refuse);
  Plan plan = make_plan(session, picks);
  overlay::require_way(session.upper.get(), session.lower.get(), plan.dropped);
  plan.copies = left_copies(session, plan.dropped);
  if (held.live()) {
    carry_out_live(session, held, plan);
  } else {
    carry_out_idle(session, plan);
  }
  session::keep_bases_in_background(session.dir);
}

}  // namespace shadow::discard
