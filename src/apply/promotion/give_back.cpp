// SPDX-License-Identifier: MIT
#include "apply/promotion/give_back.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/text.hpp"
#include "bases/capture/alike.hpp"
#include "bases/capture/drift.hpp"
#include "bases/ledger/parked.hpp"
#include "bases/ledger/seen.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/nearest_entries.hpp"
#include "overlay/read/view.hpp"
#include "overlay/write/raise.hpp"
#include "session/directory/idle.hpp"
#include "session/directory/live_runs.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/applies.hpp"
#include "store/tables/apply_bases.hpp"
#include "store/tables/tallies.hpp"
#include "sys/files/beneath.hpp"
#include "upkeep/clean_up.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <string_view>
#include <utility>

#include <unistd.h>

namespace shadow::apply {

namespace {

bool was_base(const Base& base, const Entry& found) {
  if (!base.is_known() || base.entry().kind != found.kind) {
    return false;
  }
  return !found.exists() || found.kind == EntryKind::Directory || same_state(base.entry(), found);
}

// As if taken by the ledger: the session's entry is older than any change of the project's to come.
Base fresh_base(const AppliedEntry& path) {
  return Base::known(path.now, BaseSource::Ledger, BaseContent::hashed(path.hash));
}

// What takes mode or attributes back alone leaves whatever the user has made of the file since.
bool leaves_content(const AppliedEntry& path) {
  return path.hash.empty() && path.now.kind == EntryKind::File;
}

bool same_file(const Entry& now, const Entry& found) {
  return now.ino == found.ino && now.size == found.size && now.mtime_ns == found.mtime_ns;
}

// Each once, sorted.
std::vector<std::string_view> paths_of(const ApplyPlan& plan) {
  std::vector<std::string_view> paths;
  paths.reserve(plan.steps.size());
  for (const Step& step : plan.steps) {
    paths.push_back(step.path);
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

// What the session has made its version from, where that may be something later than the base: the
// project's file, or what the two sides were compared by.
std::optional<Base> start_of(const ReviewItem& item) {
  const Verdict verdict = item.resolution.verdict;
  if (item.drift == Drift::None) {
    return std::nullopt;
  }
  if (verdict == Verdict::Write || verdict == Verdict::Delete) {
    return Base::known(item.change.before, BaseSource::Ledger);
  }
  return verdict == Verdict::Merge && item.base != nullptr
             ? std::optional{Base::known(item.base->entry, BaseSource::Ledger,
                                         BaseContent::stored(item.base->blob))}
             : std::nullopt;
}

void sync(int fd) {
  if (::syncfs(fd) != 0) {
    throw_errno("sync the session's changes");
  }
}

}  // namespace

MadeFrom made_from(const std::vector<ReviewItem>& taken) {
  MadeFrom later;
  for (const ReviewItem& item : taken) {
    if (auto base = start_of(item)) {
      later.emplace(item.change.path, *std::move(base));
    }
  }
  return later;
}

void remember_base(const session::ReviewSession& session, std::int64_t apply,
                   const std::string& path, const MadeFrom& later) {
  auto base = store::find_base(*session.db, session.row.id, path);
  const auto found = later.find(path);
  const bool is_same = base && base->is_known() && found != later.end() &&
                       same_state(base->entry(), found->second.entry());
  if (found != later.end() && !is_same) {
    base = found->second;
  }
  if (base) {
    store::add_apply_base(*session.db, apply, path, store::BaseRole::Found, *base);
  }
}

GiveBack::GiveBack(const session::ReviewSession& session, const UndoPlan& undo)
    : session_{session}, undo_{undo} {
  store::each_step(*session.db, undo.of.id, store::StepOrder::Forward,
                   [this](store::ApplyStepRow& row) {
                     // Of two steps of one path the first found it.
                     const auto [at, first] = found_.try_emplace(std::move(row.path));
                     if (first && row.before.exists()) {
                       at->second = std::move(row.before);
                     }
                   });
  has_bases_ = store::has_apply_bases(*session.db, undo.of.id);
}

// Put there while the session was live, after what was applied: no version of the session's.
bool GiveBack::is_copy(const std::string& path) const {
  return !idle_ && copies_ &&
         copies_->is_copy(path, overlay::look_beneath(session_.upper.get(), path));
}

// By what decides about the path in the upper: its entry, or what hides a directory above it.
bool GiveBack::is_newer(const Entry& decides) const {
  return decides.exists() && decides.kind != EntryKind::Directory &&
         decides.ctime_ns > undo_.of.ended_ns;
}

// The session's own version of an apply that wrote a merge, whatever undos lie between.
std::optional<Base> GiveBack::own_version(const std::string& path) const {
  return store::find_apply_base_behind(*session_.db, undo_.of.id, path, store::BaseRole::Session);
}

// The upper has nothing of the session's own at these, and the view shows what the project has.
void GiveBack::find_missing() {
  const overlay::NearestEntries nearest{session_.upper.get()};
  for (const std::string_view one : paths_of(undo_.plan)) {
    std::string path{one};
    const auto [decides, entry] = nearest.look(path);
    const bool is_own = decides == path;
    const bool copy = is_own && is_copy(path);
    if (is_newer(entry) && !copy) {
      outcome_.newer.push_back(path);
    }
    if (!is_own || copy) {
      missing_.push_back(std::move(path));
    }
  }
}

// Before the upper changes: whoever is killed from here on leaves entries that are redundant, and
// that the next command takes out.
void GiveBack::announce() const {
  store::Transaction transaction{*session_.db};
  for (const std::string& path : missing_) {
    store::add_pending_prune(*session_.db, session_.row.id, path);
    if (const auto own = own_version(path)) {
      store::put_base(*session_.db, session_.row.id, path, *own);
    }
  }
  transaction.commit();
  SHADOW_FAIL_POINT("give-back-noted");
}

void GiveBack::raise_all(int upper) {
  const store::Blobs blobs{session_.state.path()};
  overlay::Raiser raiser{{upper, session_.dir.fd()}, session_.lower.get()};
  std::vector<std::string> raised;
  for (std::string& path : missing_) {
    const auto own = own_version(path);
    const sys::Fd text =
        own && own->content().is_stored() ? blobs.open(own->content().hash()) : sys::Fd{};
    const bool done =
        text ? raiser.copy_up(path, overlay::OtherContent{text.get(), own->entry().mode})
             : raiser.copy_up(path);
    if (done) {
      raised.push_back(std::move(path));
    }
    SHADOW_FAIL_POINT("given-back");
  }
  missing_ = std::move(raised);
  if (!missing_.empty()) {
    sync(upper);
  }
}

void GiveBack::prepare() {
  if (undo_.of.takes_out) {
    copies_.emplace(session_);
    return;  // it is written again: the session has it, has dropped it, or has something else
  }
  // Not only for the upper's sake: a clean-up after an apply takes out what is to be given back.
  lock_ = session::lock_session(session_.dir, "undo");
  copies_.emplace(session_);
  idle_ = session::try_lock_unkept(session_.dir);
  if (idle_) {
    session::wait_for_recorded(session_.dir);
    bases::give_back_parked(session_.dir, session_.lower.get(), *session_.db);
    upkeep::prune(session_);  // what the runs that have just ended left of the project's
  }
  find_missing();
  if (idle_) {
    announce();
    raise_all(session_.upper.get());
  } else {
    raise_all(bases::parking_place(session_.dir, *session_.db).get());
  }
}

// By content, where that is known: an edit in place may have set the time back.
bool GiveBack::has_content_of(const Base& base, const AppliedEntry& path,
                              const Entry& found) const {
  if (!leaves_content(path)) {
    return true;
  }
  if (base.content().hash().empty()) {
    return same_file(path.now, found);
  }
  const sys::Fd file =
      sys::try_open_beneath(session_.lower.get(), path.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  return file && bases::equals_base_content(path.now, file.get(), base);
}

std::optional<Base> GiveBack::base_after(const AppliedEntry& path) const {
  const auto found = found_.find(path.path);
  auto base = store::find_apply_base(*session_.db, undo_.of.id, path.path, store::BaseRole::Found);
  if (base) {
    if (found == found_.end() || !was_base(*base, found->second.or_none())) {
      return base;
    }
    if (!has_content_of(*base, path, found->second.or_none())) {
      const bool raised = std::binary_search(missing_.begin(), missing_.end(), path.path);
      // What is given back then has the content that the user has made of it since.
      return raised ? Base::known(path.now, BaseSource::Ledger) : *base;
    }
    const Base now = base->at(path.now);
    return base->content().is_nothing() ? now.with(BaseContent::hashed(path.hash)) : now;
  }
  if (found != found_.end() && leaves_content(path) &&
      !same_file(path.now, found->second.or_none())) {
    return std::nullopt;
  }
  const auto facts = session_.dir.read_facts();
  const std::int64_t base_time = facts ? facts->base_time_ns : session_.row.base_time_ns;
  const bool drifted = has_bases_ && found != found_.end() && found->second &&
                       found->second->kind != EntryKind::Directory &&
                       found->second->ctime_ns > base_time;
  return drifted ? std::nullopt : std::optional{fresh_base(path)};
}

// Where an apply is made again: true if the view shows neither what that wrote nor the session's
// own version of it (`again`), but something made from what was there before, or a copy of that. To
// either, what is written is a change of the project's like any other.
bool GiveBack::has_other_version(const std::string& path, const std::optional<Base>& again) const {
  if (is_copy(path)) {
    return true;
  }
  const int upper = session_.upper.get();
  const int lower = session_.lower.get();
  const overlay::View view{upper, lower};
  try {
    const Entry own = view.look(path);
    const sys::Fd file = own.kind == EntryKind::File ? view.open(path, O_RDONLY) : sys::Fd{};
    if (view.where(path) == overlay::From::Lower ||
        (again && bases::equals_base_content(own, file.get(), *again))) {
      return false;
    }
    const Entry real = overlay::look_beneath(lower, path);
    return own.kind != real.kind ||
           (own.exists() &&
            !bases::is_alike(upper, lower, {path, overlay::UpperKind::Plain, own}, real));
  } catch (const Error&) {
    return true;  // a live run is writing it, or it cannot be read: its base stays what it is
  }
}

void GiveBack::record(std::int64_t undo, const AppliedEntry& path) {
  store::Database& db = *session_.db;
  const std::string& id = session_.row.id;
  remember_base(session_, undo, path.path);
  const auto base = base_after(path);
  if (undo_.of.takes_out && has_other_version(path.path, base)) {
    return;
  }
  if (base) {
    store::put_base(db, id, path.path, *base);
  } else {
    store::delete_base(db, id, path.path);
  }
  if (undo_.of.takes_out) {
    store::add_pending_prune(db, id, path.path);
  } else if (!is_copy(path.path)) {
    store::delete_pending_prune(db, id, path.path);
    if (overlay::look_beneath(session_.upper.get(), path.path).exists()) {
      ++outcome_.pending;
    }
  }
}

void GiveBack::record(std::int64_t undo, const EachApplied& each) {
  store::Database& db = *session_.db;
  const std::string& id = session_.row.id;
  store::outdate_tally(db, id, store::Touched::Anything);
  each([&](const AppliedEntry& path) { record(undo, path); });
  if (idle_) {
    bases::note_placed(db, id, session_.upper.get(), missing_);
  } else {
    for (const std::string& path : missing_) {
      store::add_give_back(db, id, path);
    }
    outcome_.later = missing_.size();
  }
}

void GiveBack::abandon() noexcept {
  if (!idle_) {
    return;
  }
  try {
    upkeep::prune(session_);
  } catch (const std::exception&) {
    return;  // what is left is redundant, and the next command takes it out
  }
}

}  // namespace shadow::apply
