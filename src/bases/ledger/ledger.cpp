// SPDX-License-Identifier: MIT
#include "bases/ledger/ledger.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "base/hash.hpp"
#include "bases/capture/capture.hpp"
#include "bases/ledger/anew.hpp"
#include "bases/ledger/makers.hpp"
#include "bases/ledger/unchanged.hpp"
#include "bases/ledger/unrecorded.hpp"
#include "bases/ledger/upper_difference.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/scan.hpp"
#include "session/directory/live_runs.hpp"
#include "session/directory/run_lifecycle.hpp"
#include "session/directory/run_spool.hpp"
#include "store/tables/apply_bases.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/made_from.hpp"
#include "store/tables/placed_copies.hpp"
#include "store/tables/runs.hpp"
#include "store/tables/sessions.hpp"
#include "store/tables/shown_versions.hpp"
#include "store/tables/tallies.hpp"
#include "sys/files/clock.hpp"
#include "sys/processes/process.hpp"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace shadow::bases {
namespace {

using overlay::UpperEntry;
using overlay::UpperKind;

bool hidden(std::string_view path) {
  // Lectic's own script files: written by the host beside the project's files, never reviewed.
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  return name.starts_with(".lectic_script-");
}

store::Touched what_is_touched(const Difference& difference) {
  const bool same =
      difference.fresh.empty() && difference.gone.empty() && difference.come_and_gone.empty();
  return same ? store::Touched::NoChanges : store::Touched::Anything;
}

RunChange change_of(const UpperEntry& entry) {
  return {entry.path, entry.kind == UpperKind::Whiteout ? RunEffect::Deleted : RunEffect::Written};
}

// The start of the earliest run that may have hidden what a new entry hides. Not of the one that
// made the entry: where several were not looked at in between, each may have replaced what the one
// before it had made.
std::int64_t earliest_start(const std::vector<store::RunRow>& runs) {
  std::int64_t earliest = INT64_MAX;
  for (const store::RunRow& run : runs) {
    earliest = std::min(earliest, run.started_ns);
  }
  return earliest == INT64_MAX ? 0 : earliest;
}

// The earliest time at which the session can have had a change: of those that are new, the start of
// the first run. A directory is there for what was in it.
std::int64_t first_change(const Difference& difference, const std::vector<store::RunRow>& runs,
                          bool parked) {
  if (difference.had_changes || parked) {
    return 0;
  }
  const bool any =
      std::any_of(difference.fresh.begin(), difference.fresh.end(),
                  [](const Fresh& fresh) { return fresh.entry.kind != UpperKind::MergedDir; });
  return any ? earliest_start(runs) : INT64_MAX;
}

std::int64_t last_end(const std::vector<store::RunRow>& runs) {
  std::int64_t last = 0;
  for (const store::RunRow& run : runs) {
    last = std::max(last, run.ended_ns.value_or(0));
  }
  return last;
}

// Entries younger than the end of every run being settled belong to a later run, whose own settling
// finds them.
void leave_to_later_runs(Difference& difference, std::int64_t last_end) {
  std::erase_if(difference.fresh,
                [last_end](const Fresh& fresh) { return first_time(fresh.entry) > last_end; });
}

RunRange range_of(const std::vector<store::RunRow>& runs, const std::vector<Maker>& makers) {
  RunRange among{INT64_MAX, 0};
  for (const Maker& maker : makers) {
    among.first = std::min(among.first, runs[maker.run].id);
    among.last = std::max(among.last, runs[maker.run].id);
  }
  return among;
}

// Records the change as one of each maker.
void give(store::Database& db, const std::vector<store::RunRow>& runs,
          const std::vector<Maker>& makers, const RunChange& change, const RunRange& among) {
  for (const Maker& maker : makers) {
    RunChange own = change;
    own.among = maker.certain ? std::nullopt : std::optional{among};
    store::add_run_changes(db, runs[maker.run].id, {std::move(own)});
  }
}

// Whether the run can have made what the entry is, or what that replaced. What is younger than all
// the runs that have ended is recorded with the one that goes on.
bool is_recorded_now(const store::RunRow& run, const Maker& maker, const UpperEntry& entry,
                     Earlier replaced, std::int64_t last_end) {
  const bool later = first_time(entry) > last_end;
  if (replaced == Earlier::Another && !maker.certain) {
    return !later || run.ended_ns;
  }
  return !later && first_time(entry) <= run.ended_ns.value_or(INT64_MAX);
}

// Records what belongs to each of the runs: what is fresh, where times do not say otherwise. Who
// deleted what the upper has no trace of is not to be seen.
void record_changes(store::Database& db, const std::vector<store::RunRow>& runs,
                    const Difference& difference, int upper, int lower, std::int64_t last_end) {
  for (const Fresh& fresh : difference.fresh) {
    const UpperEntry& entry = fresh.entry;
    if (hidden(entry.path)) {
      continue;
    }
    const bool one = runs.size() == 1;
    const Earlier replaced =
        one || entry.kind != UpperKind::Plain ? Earlier::Nothing : replaced_by(upper, lower, fresh);
    std::vector<Maker> makers = one ? std::vector<Maker>{{0}} : makers_of(runs, entry, replaced);
    const RunRange among = range_of(runs, makers);
    std::erase_if(makers, [&](const Maker& maker) {
      return !is_recorded_now(runs[maker.run], maker, entry, replaced, last_end);
    });
    give(db, runs, makers, change_of(entry), among);
  }
  std::vector<Maker> all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    all.push_back({i, runs.size() == 1});
  }
  for (const std::string& path : difference.gone) {
    if (!hidden(path)) {
      give(db, runs, all, {path, RunEffect::Deleted}, range_of(runs, all));
    }
  }
}

void remember(store::Database& db, const std::string& session, const Difference& difference,
              std::int64_t last_end) {
  for (const Fresh& fresh : difference.fresh) {
    // Written again since then: new once more for the run that did.
    if (fresh.entry.kind != UpperKind::Plain || fresh.entry.entry.ctime_ns <= last_end) {
      store::put_seen(db, session, fresh.entry.path, seen_form(fresh.entry));
    }
  }
  for (const std::string& path : difference.gone) {
    store::forget_seen(db, session, path);
  }
  for (const std::string& path : difference.come_and_gone) {
    store::forget_seen(db, session, path);
  }
}

// Since when directories above have hidden the project's. Entries come sorted: the last one asked
// for is mostly the next.
class HiderTimes {
 public:
  HiderTimes(store::Database& db, const std::string& session) : db_{db}, session_{session} {}

  // INT64_MAX where there is none, or nobody has looked at it yet.
  [[nodiscard]] std::int64_t since(const std::string& hider) {
    if (hider.empty()) {
      return INT64_MAX;
    }
    if (hider != last_) {
      const auto hidden = store::hidden_since(db_, session_, hider);
      last_ = hider;
      last_ns_ = hidden ? hidden->since_ns : INT64_MAX;
    }
    return last_ns_;
  }

 private:
  store::Database& db_;
  const std::string& session_;
  std::string last_;
  std::int64_t last_ns_ = INT64_MAX;
};

// Also of what runs have made that go on: of a new entry, since when the session has it, or hides
// whatever the project has there. It does that longer than its file is there where it has its own
// directory, which may hide nothing any more at the next look.
void note_fresh(store::Database& db, const std::string& session, int upper,
                const Difference& difference, const std::vector<store::RunRow>& runs) {
  HiderTimes hiders{db, session};  // some of which are noted here themselves
  for (const Fresh& fresh : difference.fresh) {
    if (fresh.noted) {
      continue;
    }
    const std::int64_t since_ns =
        std::min(hides_since(upper, fresh.entry), hiders.since(fresh.hider));
    if (fresh.hides_now) {  // a row keeps the time that it began with
      store::forget_seen(db, session, fresh.entry.path);
    }
    store::put_seen(db, session, fresh.entry.path, unrecorded_form(fresh.entry, fresh.is_new),
                    {since_ns, earliest_start(runs)});
  }
}

void put_bases(store::Database& db, const std::string& session,
               const std::vector<CapturedBase>& bases) {
  for (const CapturedBase& base : bases) {
    store::put_base(db, session, base.path, base.base);
    if (base.attributes) {
      store::put_base_attributes(db, session, base.path, base.base.entry(), *base.attributes);
    }
  }
}

// Runs may have been settled before the base tree was there.
void mend_bases(const BaseCapture& capture, store::Database& db, const std::string& session) {
  const std::vector<CapturedBase> bases = capture.mend(db);
  if (!bases.empty()) {
    store::Transaction transaction{db};
    put_bases(db, session, bases);
    transaction.commit();
  }
}

std::vector<TouchedEntry> touched_in(store::Database& db, const std::string& session,
                                     const Difference& difference) {
  HiderTimes hiders{db, session};
  std::vector<TouchedEntry> touched;
  touched.reserve(difference.fresh.size());
  for (const Fresh& fresh : difference.fresh) {
    touched.push_back(
        {&fresh.entry, fresh.first, first_time(fresh.entry), hiders.since(fresh.hider)});
  }
  return touched;
}

std::vector<CapturedBase> take_bases(const BaseCapture& capture, store::Database& db,
                                     const std::vector<TouchedEntry>& touched,
                                     const std::vector<store::RunRow>& runs) {
  std::vector<CapturedBase> bases = capture.mend(db);
  std::vector<CapturedBase> taken = capture.take(db, touched, earliest_start(runs));
  std::move(taken.begin(), taken.end(), std::back_inserter(bases));
  return bases;
}

void put_made_from(store::Database& db, const std::string& session,
                   const std::vector<MadeFrom>& found) {
  for (const MadeFrom& one : found) {
    store::put_made_from(db, session, one.path, one.base, one.later);
  }
}

std::vector<store::RunRow> noted_runs(const session::SessionDir& session, store::Database& db) {
  session::import_runs(session, db);
  std::vector<store::RunRow> runs = store::unsettled_runs(db, session.id());
  std::vector<store::RunRow> live = store::unended_runs(db, session.id());
  std::move(live.begin(), live.end(), std::back_inserter(runs));
  return runs;
}

bool all_are_noted(const std::vector<session::LiveRecord>& live,
                   const std::vector<store::RunRow>& runs) {
  return std::all_of(live.begin(), live.end(), [&runs](const session::LiveRecord& record) {
    return record.keeper() || sys::start_time(record.supervisor) != record.start_time ||
           std::any_of(runs.begin(), runs.end(), [&record](const store::RunRow& run) {
             return run.supervisor == record.supervisor &&
                    run.supervisor_start == static_cast<std::int64_t>(record.start_time);
           });
  });
}

// The runs that may have made what was found in the upper: those that have ended, those that go on,
// and those that began, and perhaps ended, while it was looked at. A command works for a moment
// before its run is noted.
std::vector<store::RunRow> runs_until_now(const session::SessionDir& session, store::Database& db) {
  constexpr std::int64_t kPatienceNs = 100'000'000;
  constexpr timespec kPause{0, 1'000'000};
  const std::int64_t end = sys::monotonic_ns() + kPatienceNs;
  for (;;) {
    // First the live ones: what is live no more by now has its note.
    const std::vector<session::LiveRecord> live = session::read_live(session);
    std::vector<store::RunRow> runs = noted_runs(session, db);
    if (all_are_noted(live, runs) || sys::monotonic_ns() > end) {
      return runs;
    }
    ::nanosleep(&kPause, nullptr);
  }
}

// What comes next begins with what the project has then. Bases that are to be mended by the tree
// first are not known yet.
void drop_shown_when_idle(const session::SessionDir& session, store::Database& db) {
  if (store::shown_size(db, session.id()).rows > 0 &&
      store::unended_runs(db, session.id()).empty() && has_base_tree(session.fd())) {
    store::clear_shown_versions(db, session.id());
  }
}

}  // namespace

void settle_runs(const StateDir& state, const session::SessionDir& session,
                 const std::string& project, store::Database& db) {
  // One at a time: each compares the upper with what the one before it saw.
  const sys::FileLock ledger = sys::lock_file_at(session.fd(), "ledger", sys::LockMode::Exclusive);
  const auto facts = session.read_facts();
  session::import_runs(session, db);
  const std::vector<store::RunRow> runs = store::unsettled_runs(db, session.id());
  const auto lower = facts ? session::try_open_project(project, *facts) : std::nullopt;
  if (!lower) {
    return;  // what is there now are no bases of this session's
  }
  const BaseCapture capture{state, session, lower->get(), facts->base_time_ns};
  if (runs.empty() && store::unended_runs(db, session.id()).empty()) {
    mend_bases(capture, db, session.id());
    settle_possible_copies(session, capture, lower->get(), db);
    drop_shown_when_idle(session, db);
    return;
  }
  const sys::Fd upper =
      sys::open_at(session.fd(), "project/upper", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const std::int64_t last_noted = store::last_run(db, session.id());
  SHADOW_FAIL_POINT("runs-imported");
  Difference difference = compare_upper(upper.get(), db, session.id());
  const std::vector<store::RunRow> all = runs_until_now(session, db);
  const std::vector<TouchedEntry> touched = touched_in(db, session.id(), difference);
  const std::vector<CapturedBase> bases = take_bases(capture, db, touched, all);
  const std::vector<MadeFrom> made_from = capture.made_from(db, touched, bases);
  const std::vector<store::PossibleCopy> copies =
      possible_copies(db, session.id(), lower->get(), touched, bases);
  const bool all_noted = std::all_of(difference.fresh.begin(), difference.fresh.end(),
                                     [](const Fresh& fresh) { return fresh.noted; });
  if (runs.empty() && bases.empty() && all_noted && are_noted(db, session.id(), copies)) {
    return;
  }
  store::Transaction transaction{db};
  put_bases(db, session.id(), bases);
  put_made_from(db, session.id(), made_from);
  for (const store::PossibleCopy& copy : copies) {
    store::add_possible_copy(db, session.id(), copy);
  }
  note_fresh(db, session.id(), upper.get(), difference, all);
  const bool parked = !store::give_backs(db, session.id()).empty();
  const store::LastRuns before = store::last_runs(db, session.id());
  store::set_last_runs(
      db, session.id(),
      last_runs_after(before, all, first_change(difference, all, parked), last_noted));
  if (runs.empty()) {
    transaction.commit();
    return;
  }
  const store::Touched what = what_is_touched(difference);
  record_changes(db, all, difference, upper.get(), lower->get(), last_end(runs));
  leave_to_later_runs(difference, last_end(runs));
  session::mark_settled(db, runs);
  remember(db, session.id(), difference, last_end(runs));
  store::outdate_tally(db, session.id(), what);
  transaction.commit();
  for (std::string& deleted : session::made_anew(session)) {
    if (overlay::is_whiteout(overlay::look_beneath(upper.get(), deleted))) {
      difference.hiding.push_back({std::move(deleted)});  // since before the last look
    }
  }
  session::note_made_anew(session, lower->get(), difference.hiding);
  settle_possible_copies(session, capture, lower->get(), db);
  drop_shown_when_idle(session, db);
}

}  // namespace shadow::bases
