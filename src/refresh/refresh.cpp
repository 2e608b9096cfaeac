// SPDX-License-Identifier: MIT
//
// In what order a path is brought up, so that nothing is lost wherever it is interrupted: the new
// base is written down as pending, then the upper changes (one rename or unlink), then the base
// counts. An upper without the project's edit must never have the edited file as its base: that
// would say that the session took the edit back. The other way round, an upper with the edit and
// the old base, is a merge that gives the same again.

#include "refresh/refresh.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "bases/applied.hpp"
#include "bases/base_text.hpp"
#include "bases/capture.hpp"
#include "bases/ledger.hpp"
#include "bases/seen.hpp"
#include "bases/settle_refresh.hpp"
#include "live/hold.hpp"
#include "overlay/arrival.hpp"
#include "overlay/attributes.hpp"
#include "overlay/format.hpp"
#include "overlay/look.hpp"
#include "overlay/prune.hpp"
#include "overlay/rewrite.hpp"
#include "promote/transaction.hpp"
#include "refresh/refresh_plan.hpp"
#include "refresh/renew_untouched.hpp"
#include "session/idle.hpp"
#include "session/place.hpp"
#include "store/blobs.hpp"
#include "store/pending_bases.hpp"
#include "store/shown.hpp"
#include "sys/beneath.hpp"
#include "sys/clock.hpp"
#include "sys/dir.hpp"
#include "upkeep/clean_up.hpp"

#include <chrono>
#include <set>
#include <string_view>
#include <utility>

namespace shadow {

namespace {

constexpr const char* kRefresh = "refresh the session";
constexpr std::chrono::seconds kPatience{10};

// The real file was read as it is at this state. An edit within the same tick of the clock would
// leave the state as it was; none can come once the tick is over.
void let_tick_pass(const Entry& real) {
  if (real.ctime_ns <= sys::coarse_now_ns()) {
    sys::wait_for_coarse_tick(real.ctime_ns);
  }
}

void require_same(const Entry& now, const Entry& then, const std::string& path) {
  const bool same =
      now.exists() || then.exists() ? now.kind == then.kind && same_state(now, then) : true;
  if (!same) {
    throw StaleError{"cannot refresh " + quoted(path) + ": it changes all the time",
                     "try again",
                     ExitCode::Refused,
                     {path}};
  }
}

class Refresher {
 public:
  // With `edit` the session is live, and what is done to its side is done through the view.
  Refresher(const ReviewSession& session, ViewEdit* edit)
      : session_{session}, edit_{edit}, merger_{session}, blobs_{session.state.path()} {}

  void carry_out(const RefreshDeed& deed) {
    let_tick_pass(deed.real);
    switch (deed.kind) {
      case RefreshDeed::Kind::Rewrite:
        rewrite(deed);
        break;
      case RefreshDeed::Kind::Adopt:
        adopt(deed);
        break;
      case RefreshDeed::Kind::Rebase:
        rebase(deed);
        break;
      case RefreshDeed::Kind::Drop:
        if (edit_ != nullptr) {
          follow_in_view(deed);
          break;
        }
        note(deed, {}, base_of(deed));
        overlay::drop(upper(), lower(), deed.path);
        removed_.insert(deed.path);
        break;
      case RefreshDeed::Kind::Prune:
        if (edit_ != nullptr) {
          break;  // what says nothing cannot be taken out through the view
        }
        note(deed, {}, base_of(deed));
        overlay::prune(upper(), lower(), {deed.path});
        removed_.insert(deed.path);
        break;
    }
    SHADOW_FAIL_POINT("refresh-written");
  }

  // Directories that were copied up for what was in them, where the project has none any more.
  // True when there were any.
  bool remove_emptied_directories() const {
    std::set<std::string, std::greater<>> above;  // children before their parents
    for (const std::string& path : removed_) {
      std::string_view parent = sys::split_path(path).parent;
      for (; !parent.empty(); parent = sys::split_path(parent).parent) {
        above.emplace(parent);
      }
    }
    bool any = false;
    for (const std::string& path : above) {
      if (says_nothing_any_more(path)) {
        any = drop_directory(path) || any;
      }
    }
    return any;
  }

 private:
  // The view's file becomes the project's: then it says nothing, whatever its base. It goes once
  // the session is idle.
  void follow_in_view(const RefreshDeed& deed) {
    store::BaseRow row = base_of(deed);
    row.source = "apply";
    const Entry& reviewed = deed.item.change.after;
    edit_->restore_reviewed(
        deed.path, reviewed.exists() ? reviewed : overlay::look_beneath(upper(), deed.path));
    require_same(overlay::look_beneath(lower(), deed.base_path), deed.real, deed.base_path);
    store::Transaction transaction{*session_.db};
    store::put_base(*session_.db, session_.row.id, deed.path, row);
    if (overlay::look_beneath(upper(), deed.path).exists()) {
      store::add_pending_prune(*session_.db, session_.row.id, deed.path);
      note_placed(*session_.db, session_.row.id, upper(), {deed.path});
    } else {
      forget_gone(session_, {deed.path});
    }
    transaction.commit();
    removed_.insert(deed.path);
  }

  bool drop_directory(const std::string& path) const {
    if (edit_ != nullptr) {
      return edit_->remove_if_empty(path);
    }
    overlay::drop(upper(), lower(), path);
    return true;
  }

  [[nodiscard]] int upper() const { return session_.upper.get(); }
  [[nodiscard]] int lower() const { return session_.lower.get(); }

  [[nodiscard]] bool says_nothing_any_more(const std::string& path) const {
    if (overlay::look_beneath(lower(), path).kind == EntryKind::Directory) {
      return false;
    }
    const sys::Fd dir = sys::try_open_beneath(upper(), path, O_RDONLY | O_DIRECTORY);
    return dir && overlay::has_origin(dir.get()) && !overlay::is_opaque(dir.get()) &&
           sys::is_empty_dir(dir.get());
  }

  void note_within(const RefreshDeed& deed, const std::string& upper_hash,
                   store::BaseRow row) const {
    store::add_pending_base(*session_.db, session_.row.id,
                            {deed.base_path, deed.path, upper_hash, std::move(row)});
  }

  void note(const RefreshDeed& deed, const std::string& upper_hash, store::BaseRow row) const {
    store::Transaction transaction{*session_.db};
    note_within(deed, upper_hash, std::move(row));
    transaction.commit();
    SHADOW_FAIL_POINT("refresh-noted");
  }

  static void set_text(store::BaseRow& row, const std::string& blob) {
    // A name with a suffix means another content of the same hash: then there is no base text.
    row.stored = hash_from_hex(blob).has_value();
    row.hash = row.stored ? blob : std::string{};
  }

  // As if taken by the ledger where the session's entry stays, and else, as after a discard, from
  // the tree.
  static store::BaseRow row_of(const Entry& real, const char* source) {
    store::BaseRow row;
    row.source = source;
    row.certain = true;
    row.entry = real;
    return row;
  }

  // The real entry, with its text.
  store::BaseRow base_of(const RefreshDeed& deed) {
    store::BaseRow row = row_of(deed.real, "tree");
    if (deed.real.kind != EntryKind::File || deed.real.size > BaseCapture::kMostBytesToHash) {
      require_same(overlay::look_beneath(lower(), deed.base_path), deed.real, deed.base_path);
      return row;
    }
    const sys::Fd file = sys::try_open_beneath(lower(), deed.base_path, O_RDONLY | O_NONBLOCK);
    if (!file && errno == EACCES) {
      return row;  // known by its times alone
    }
    require_same(file ? overlay::look_fd(file.get()) : Entry{}, deed.real, deed.base_path);
    if (deed.real.size <= BaseCapture::kMostBytesOfAFile) {
      set_text(row, blobs_.put(file.get()));
    } else {
      row.hash = to_hex(store::hash_file(file.get()));
    }
    require_same(overlay::look_fd(file.get()), deed.real, deed.base_path);
    return row;
  }

  // What a person was shown of the session's text, they were shown of its merge with an edit of
  // their own. What was not what they were shown before is not now.
  void carry_shown(const RefreshDeed& deed, std::string_view bytes, std::uint32_t mode) const {
    auto row = store::find_shown(*session_.db, session_.row.id, deed.path);
    const Entry& before = deed.sides.session;
    if (row && row->digest == overlay::arrival(before, merger_.session_text(deed.sides))) {
      Entry after = before;
      after.mode = mode;
      row->digest = overlay::arrival(after, bytes);
      store::put_shown(*session_.db, session_.row.id, deed.path, *row);
    }
  }

  void rewrite(const RefreshDeed& deed) {
    const std::string bytes = merged_text(deed);
    store::BaseRow row = row_of(deed.real, "ledger");
    set_text(row, blobs_.put_bytes(merger_.project_text(deed.sides)));
    const sys::Fd attributes = sys::open_beneath(upper(), deed.path, O_PATH);
    overlay::NewContent content;
    content.bytes = bytes;
    content.mode = (deed.how.mode == Side::Project ? deed.sides.project : deed.sides.session).mode;
    content.attributes_of = attributes.get();
    store::Transaction transaction{*session_.db};
    note_within(deed, to_hex(hash_bytes(bytes)), std::move(row));
    carry_shown(deed, bytes, content.mode);
    transaction.commit();
    SHADOW_FAIL_POINT("refresh-noted");
    if (edit_ != nullptr) {
      edit_->write(deed.path, content, deed.sides.session);
    } else {
      overlay::rewrite({upper(), session_.dir.fd()}, deed.path, content);
    }
  }

  std::string merged_text(const RefreshDeed& deed) const {
    if (deed.how.content != Side::Both) {
      return deed.how.content == Side::Project ? merger_.project_text(deed.sides)
                                               : merger_.session_text(deed.sides);
    }
    const auto base = store::find_base(*session_.db, session_.row.id, deed.base_path);
    auto merged = merger_.merge(deed.sides, base ? &*base : nullptr, BaseText::Kept);
    if (!merged || merged->result.outcome != MergeResult::Outcome::Clean) {
      throw StaleError{"cannot refresh " + quoted(deed.path) + ": it changes all the time",
                       "try again"};
    }
    return std::move(merged->result.text);
  }

  // The session went on from what the project has: that is its base from now on.
  void rebase(const RefreshDeed& deed) {
    store::BaseRow row = base_of(deed);
    row.source = "ledger";
    note(deed, to_hex(hash_bytes(merger_.session_text(deed.sides))), std::move(row));
  }

  // The upper's directory says nothing but its attributes.
  void adopt(const RefreshDeed& deed) const {
    const sys::Fd from = sys::open_beneath(lower(), deed.path, O_RDONLY | O_DIRECTORY);
    if (edit_ != nullptr) {
      edit_->adopt(deed.path);
    } else {
      const sys::Fd to = sys::open_beneath(upper(), deed.path, O_RDONLY | O_DIRECTORY);
      overlay::copy_attributes(from.get(), to.get());
    }
    store::put_base(*session_.db, session_.row.id, deed.path,
                    row_of(overlay::look_fd(from.get()), "ledger"));
  }

  const ReviewSession& session_;
  ViewEdit* edit_;
  Merger merger_;
  store::Blobs blobs_;
  std::set<std::string> removed_;
};

// The records of all runs first: what the refresh writes is then told from what they wrote.
void settle_ended_runs(const ReviewSession& session) {
  const auto settled =
      sys::lock_file_within(session.dir.fd(), "settle", sys::LockMode::Exclusive, kSettlePatience);
  if (!settled) {
    throw Error{"cannot refresh the session: its last runs are still being recorded", "try again",
                ExitCode::Refused};
  }
  end_abandoned_runs(session.dir, *session.db);
  settle_runs(session.state, session.dir, session.project.root, *session.db);
}

// What the refreshes before this one left, and the applies.
void begin_with_clean_upper(const ReviewSession& session, bool live) {
  settle_refresh(session);
  if (!live && !store::pending_prunes(*session.db, session.row.id).empty()) {
    prune(session);
  }
}

// What the runs of a live session did meanwhile is theirs.
void note_what_was_done(const ReviewSession& session, bool live) {
  if (!live) {
    note_upper(session);
  }
}

// After a failure; what fails here too, the next command does.
void write_down(const ReviewSession& session, bool live) {
  try {
    settle_refresh(session);
    note_what_was_done(session, live);
  } catch (const Error&) {
    return;
  }
}

RefreshReport carry_out(const ReviewSession& session, const Selection& selection, ViewEdit* edit) {
  const bool live = edit != nullptr;
  constexpr int kAttempts = 5;
  const std::int64_t base_time = base_time_now();
  RefreshReport report;
  report.place = place_in(session.project);
  Refresher refresher{session, edit};
  for (int attempt = 1;; ++attempt) {
    try {
      RefreshPlan plan = make_refresh_plan(session, selection);
      report.left = std::move(plan.left);
      for (const RefreshDeed& deed : plan.deeds) {
        refresher.carry_out(deed);
        if (is_told(deed)) {
          report.done.push_back({deed.item, deed.kind == RefreshDeed::Kind::Rewrite});
        }
      }
      break;
    } catch (const StaleError&) {
      // The user is at work. What was done is done.
      settle_refresh(session);
      if (attempt == kAttempts) {
        write_down(session, live);
        throw;
      }
    } catch (const Error&) {
      write_down(session, live);
      throw;
    }
  }
  const bool emptied = refresher.remove_emptied_directories();
  settle_refresh(session);
  note_what_was_done(session, live);
  if (emptied) {
    report.left = make_refresh_plan(session, selection).left;
  }
  if (selection.everything()) {
    renew_untouched(session, base_time);
  }
  return report;
}

// Whose files a refresh of a live session changes.
std::vector<std::string> written_paths(const ReviewSession& session, const Selection& selection) {
  std::vector<std::string> paths;
  for (const RefreshDeed& deed : make_refresh_plan(session, selection).deeds) {
    if (deed.kind == RefreshDeed::Kind::Rewrite || deed.kind == RefreshDeed::Kind::Drop) {
      paths.push_back(deed.path);
    }
  }
  return paths;
}

}  // namespace

RefreshReport plan_refresh(const ReviewSession& session, const Selection& selection) {
  RefreshPlan plan = make_refresh_plan(session, selection);
  RefreshReport report;
  report.place = place_in(session.project);
  report.left = std::move(plan.left);
  for (RefreshDeed& deed : plan.deeds) {
    if (is_told(deed)) {
      report.done.push_back({std::move(deed.item), deed.kind == RefreshDeed::Kind::Rewrite});
    }
  }
  return report;
}

RefreshReport refresh(const ReviewSession& session, const Selection& selection) {
  const HeldSession held = hold_session(session, kRefresh, LiveRuns::Refuse);
  // An apply that goes on may yet be rolled back.
  const auto project = promote::lock_project(session.site(), kPatience);
  if (!project) {
    throw Error{"cannot refresh the session: an apply is running", "try again when it is done",
                ExitCode::Refused};
  }
  settle_ended_runs(session);
  fetch_base_texts(session);
  begin_with_clean_upper(session, held.live());
  if (!held.live()) {
    return carry_out(session, selection, nullptr);
  }
  held.view->require_unwritten(session.dir, written_paths(session, selection), kRefresh);
  ViewEdit edit{held.trees(session)};
  return carry_out(session, selection, &edit);
}

}  // namespace shadow
