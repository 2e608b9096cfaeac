// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "base/text.hpp"
#include "bases/renew_bases.hpp"
#include "bases/seen.hpp"
#include "discard/discard.hpp"
#include "overlay/look.hpp"
#include "overlay/prune.hpp"
#include "overlay/rewrite.hpp"
#include "overlay/view.hpp"
#include "session/background.hpp"
#include "session/idle.hpp"
#include "store/bases.hpp"
#include "store/shown.hpp"
#include "sys/beneath.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace shadow {

namespace {

// A file of the upper as it will be.
struct Rewrite {
  const Pick* pick;
  std::string bytes;
};

// What a discard does, worked out before anything is done.
struct Plan {
  std::vector<std::string> dropped;
  std::vector<Rewrite> rewritten;
};

void require_as_reviewed(const overlay::View& view, const ReviewItem& item) {
  const Entry now = view.look(item.change.path);
  const Entry& then = item.change.after;
  const bool same =
      now.kind == then.kind &&
      (now.kind == EntryKind::Absent || now.kind == EntryKind::Directory || same_state(now, then));
  if (!same) {
    throw StaleError{"cannot discard " + quoted(item.change.path) + ": it changed meanwhile",
                     "look at the changes again",
                     ExitCode::Refused,
                     {item.change.path}};
  }
}

std::string rest_of(const ReviewSession& session, const Pick& pick) {
  auto texts = read_texts(session, pick.offer.item, Shown::Session);
  if (!texts) {
    throw Error{"cannot discard a part of " + quoted(pick.offer.item.change.path) +
                ": it is too large"};
  }
  if (takes(pick, PartKind::Whole)) {
    return std::move(texts->before);
  }
  std::vector<Hunk> undone = taken_hunks(pick);
  std::transform(undone.begin(), undone.end(), undone.begin(), reversed);
  return apply_hunks(texts->after, std::move(undone));
}

Plan make_plan(const ReviewSession& session, const std::vector<Pick>& picks) {
  const overlay::View view{session.upper.get(), session.lower.get()};
  Plan plan;
  for (const Pick& pick : picks) {
    if (takes_nothing(pick)) {
      continue;
    }
    require_as_reviewed(view, pick.offer.item);
    for (const ReviewItem& item : pick.offer.with) {
      require_as_reviewed(view, item);
    }
    if (takes_everything(pick)) {
      plan.dropped.push_back(pick.offer.item.change.path);
    } else {
      plan.rewritten.push_back({&pick, rest_of(session, pick)});
    }
  }
  return plan;
}

void rewrite(const ReviewSession& session, const Rewrite& rewrite) {
  const Pick& pick = *rewrite.pick;
  const Change& change = pick.offer.item.change;
  const int root = (takes(pick, PartKind::Attributes) ? session.lower : session.upper).get();
  const sys::Fd attributes = sys::open_beneath(root, change.path, O_PATH);
  overlay::NewContent content;
  content.bytes = rewrite.bytes;
  content.mode = (takes(pick, PartKind::Mode) ? change.before : change.after).mode;
  content.attributes_of = attributes.get();
  overlay::rewrite({session.upper.get(), session.dir.fd()}, change.path, content);
}

// New directories of which nothing is left were not offered themselves; they go with what was in
// them.
void drop_emptied_directories(const ReviewSession& session, std::vector<std::string>& dropped) {
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

}  // namespace

void end_runs(const ReviewSession& session, LiveRuns live) {
  (void)make_idle(session.dir, "discard hunks", live);
}

std::vector<Offer> discard_offers(const std::vector<ReviewItem>& items) {
  return make_offers(items, [](const ReviewItem& item) {
    return item.standing == Standing::Normal ||
           (item.standing == Standing::GitDir && item.change.kind == ChangeKind::Added &&
            item.change.after.kind == EntryKind::Directory &&
            sys::split_path(item.change.path).name == ".git");
  });
}

void discard_picked(const ReviewSession& session, const std::vector<Pick>& picks) {
  const IdleSession idle = make_idle(session.dir, "discard hunks", LiveRuns::Refuse);
  Plan plan = make_plan(session, picks);
  std::vector<std::string> rewritten;
  for (const Rewrite& one : plan.rewritten) {
    rewrite(session, one);
    rewritten.push_back(one.pick->offer.item.change.path);
  }
  for (const std::string& path : plan.dropped) {
    overlay::drop(session.upper.get(), session.lower.get(), path);
  }
  drop_emptied_directories(session, plan.dropped);
  overlay::prune(session.upper.get(), session.lower.get(), rewritten);

  store::Transaction transaction{*session.db};
  renew_bases(session, plan.dropped);
  std::vector<std::string> touched = plan.dropped;
  touched.insert(touched.end(), rewritten.begin(), rewritten.end());
  forget_gone(session, touched);
  note_rewritten(session, rewritten);
  for (const std::string& path : touched) {
    store::forget_shown_below(*session.db, session.row.id, path);
  }
  transaction.commit();
  keep_bases_in_background(session.dir);
}

}  // namespace shadow
