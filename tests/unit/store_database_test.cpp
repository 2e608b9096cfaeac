// SPDX-License-Identifier: MIT
#include "shadow/error.hpp"

#include "store/database/database.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/placed_copies.hpp"
#include "store/tables/run_words.hpp"
#include "store/tables/runs.hpp"
#include "store/tables/sessions.hpp"
#include "store/tables/tallies.hpp"
#include "support/scratch.hpp"
#include "sys/files/file.hpp"
#include "sys/processes/process.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using shadow::Base;
using shadow::BaseContent;
using shadow::BaseSource;
using shadow::Error;
using shadow::RunEffect;
using shadow::RunEnding;
using shadow::test::Scratch;
namespace store = shadow::store;
namespace sys = shadow::sys;
using namespace std::string_literals;

namespace {

store::SessionRow a_session(const std::string& id) {
  store::SessionRow row;
  row.id = id;
  row.project = "/a b\n\xff";
  row.agent = "-dash:,\\\0nul"s;
  row.root_identity = "1 2";
  row.created_ns = 1;
  row.used_ns = 2;
  row.base_time_ns = 3;
  return row;
}

}  // namespace

TEST_SUITE("store/database") {
  TEST_CASE("32 processes that open a new database at the same instant all can use it") {
    const Scratch scratch;
    const std::string path = scratch.path() + "/shadow.db";
    constexpr int kProcesses = 32;
    sys::Pipe gate = sys::make_pipe();
    std::vector<pid_t> children;
    for (int number = 0; number < kProcesses; ++number) {
      const pid_t child = ::fork();
      if (child == 0) {
        gate.write_end.reset();
        char nothing = 0;
        const ssize_t woken = ::read(gate.read_end.get(), &nothing, 1);
        int status = static_cast<int>(woken);
        try {
          store::Database db{path};
          store::add_session(db, a_session("s" + std::to_string(number)));
        } catch (const std::exception& error) {
          ::dprintf(STDERR_FILENO, "%s\n", error.what());
          status = 1;
        }
        ::_exit(status);
      }
      children.push_back(child);
    }
    gate.write_end.reset();
    for (const pid_t child : children) {
      CHECK(sys::wait_for(child) == 0);
    }
    store::Database db{path};
    CHECK(store::all_sessions(db).size() == kProcesses);
  }

  TEST_CASE("a database of a newer version is refused with its version") {
    const Scratch scratch;
    const std::string path = scratch.path() + "/shadow.db";
    store::Database{path}.execute("PRAGMA user_version = 99");
    CHECK_THROWS_WITH_AS(store::Database{path},
                         "cannot use the state directory: its database has version 99, and this "
                         "shadow knows versions up to 15",
                         Error);
  }

  TEST_CASE("a damaged database is named, with what to do") {
    const Scratch scratch;
    const std::string path = scratch.path() + "/shadow.db";
    const sys::Fd file = sys::open_path(path, O_WRONLY | O_CREAT, 0600);
    sys::write_all(file.get(), std::string(8192, 'x'));
    try {
      const store::Database db{path};
      FAIL("opened");
    } catch (const Error& error) {
      CHECK(error.what() == "cannot read '" + path + "': the database is damaged");
      CHECK_FALSE(error.hint().empty());
    }
  }

  TEST_CASE("closing leaves the log alone and checkpoint empties it") {
    const Scratch scratch;
    const std::string path = scratch.path() + "/shadow.db";
    struct stat log {};
    { const store::Database db{path}; }
    REQUIRE(::stat((path + "-wal").c_str(), &log) == 0);
    CHECK(log.st_size > 0);
    store::Database db{path};
    db.checkpoint();
    REQUIRE(::stat((path + "-wal").c_str(), &log) == 0);
    CHECK(log.st_size == 0);
  }

  TEST_CASE("a transaction that is not committed leaves nothing") {
    const Scratch scratch;
    store::Database db{scratch.path() + "/shadow.db"};
    {
      const store::Transaction transaction{db};
      store::add_session(db, a_session("s"));
    }
    CHECK(store::all_sessions(db).empty());
  }
}

TEST_SUITE("store/sessions") {
  TEST_CASE("a session comes back as it went in, whatever bytes its names hold") {
    const Scratch scratch;
    store::Database db{scratch.path() + "/shadow.db"};
    CHECK(store::add_session(db, a_session("s")));
    CHECK_FALSE(store::add_session(db, a_session("s")));
    store::set_note(db, "s", "note");
    store::touch_session(db, "s", 9);
    const auto found = store::find_session(db, "s");
    REQUIRE(found);
    CHECK(found->project == "/a b\n\xff");
    CHECK(found->agent == "-dash:,\\\0nul"s);
    CHECK(found->note == "note");
    CHECK(found->used_ns == 9);
    CHECK(store::sessions_of_project(db, found->project).size() == 1);
    store::delete_session(db, "s");
    CHECK_FALSE(store::find_session(db, "s"));
  }
}

TEST_SUITE("store/tallies") {
  TEST_CASE("what was counted is current until the session's side changes") {
    const Scratch scratch;
    store::Database db{scratch.path() + "/shadow.db"};
    store::add_session(db, a_session("s"));
    CHECK_FALSE(store::find_tally(db, "s").is_current());
    CHECK_FALSE(store::find_tally(db, "s").changes);
    store::put_bytes(db, "s", 0, 5, 7);
    CHECK_FALSE(store::find_tally(db, "s").is_current());
    store::put_changes(db, "s", 0, 3, 11);
    CHECK(store::find_tally(db, "s").is_current());
    store::outdate_tally(db, "s", store::Touched::Anything);
    store::Tally tally = store::find_tally(db, "s");
    CHECK_FALSE(tally.is_current());
    CHECK(tally.changes == 3U);
    CHECK(tally.bytes == 5U);
    CHECK(tally.home_bytes == 7U);
    CHECK(tally.counted_ns == 11);
    // Counted before the change, recorded after it.
    store::put_changes(db, "s", 0, 4, 12);
    store::put_bytes(db, "s", 0, 6, 8);
    CHECK_FALSE(store::find_tally(db, "s").is_current());
    store::put_changes(db, "s", 1, std::nullopt, 13);
    store::put_bytes(db, "s", 1, 6, 8);
    CHECK(store::find_tally(db, "s").is_current());
    CHECK_FALSE(store::find_tally(db, "s").changes);
  }

  TEST_CASE("a change that leaves the changes as they are leaves their number known") {
    const Scratch scratch;
    store::Database db{scratch.path() + "/shadow.db"};
    store::add_session(db, a_session("s"));
    store::outdate_tally(db, "s", store::Touched::NoChanges);  // as of one never counted
    CHECK(store::find_tally(db, "s").changes_version == -1);
    store::put_changes(db, "s", 1, 3, 11);
    store::put_bytes(db, "s", 1, 5, 7);
    store::outdate_tally(db, "s", store::Touched::NoChanges);
    store::Tally tally = store::find_tally(db, "s");
    CHECK(tally.changes_version == tally.version);
    CHECK(tally.bytes_version != tally.version);
    store::outdate_tally(db, "s", store::Touched::Anything);
    store::outdate_tally(db, "s", store::Touched::NoChanges);
    tally = store::find_tally(db, "s");
    CHECK(tally.changes_version != tally.version);
  }

  TEST_CASE(
      "a session that is gone takes its tally along, and a database of an older version has none") {
    const Scratch scratch;
    const std::string path = scratch.path() + "/shadow.db";
    {
      store::Database db{path};
      store::add_session(db, a_session("s"));
      store::add_session(db, a_session("t"));
      store::outdate_tally(db, "s", store::Touched::Anything);
      store::delete_session(db, "s");
      CHECK(store::find_tally(db, "s").version == 0);
      CHECK_THROWS_AS(store::put_changes(db, "s", 0, 1, 1), Error);
      db.execute("DROP TABLE tallies");
      db.execute("DROP TABLE possible_copies");
      db.execute("DROP TABLE shown_copies");
      db.execute("DROP TABLE made_from");
      db.execute("DROP TABLE shown_versions");
      db.execute("DROP TABLE base_attributes");
      db.execute("ALTER TABLE sessions DROP COLUMN anew_ns");
      db.execute("ALTER TABLE sessions DROP COLUMN last_end_ns");
      db.execute("ALTER TABLE sessions RENAME COLUMN agent TO interlocutor");
      db.execute("ALTER TABLE applies RENAME COLUMN agent TO interlocutor");
      db.execute("PRAGMA user_version = 6");
    }
    store::Database db{path};
    CHECK(store::find_session(db, "t"));
    CHECK(store::last_runs(db, "t") == store::LastRuns{});
    store::set_last_runs(db, "t", {3, 4});
    CHECK(store::last_runs(db, "t") == store::LastRuns{3, 4});
    CHECK_FALSE(store::find_tally(db, "t").is_current());
    store::put_changes(db, "t", 0, 1, 1);
    CHECK(store::find_tally(db, "t").changes == 1U);
  }
}

TEST_SUITE("store/runs") {
  TEST_CASE("the number of a run is never given again") {
    const Scratch scratch;
    store::Database db{scratch.path() + "/shadow.db"};
    store::RunRow run;
    run.session = "s";
    std::int64_t last = 0;
    for (int round = 0; round < 3; ++round) {
      store::add_session(db, a_session("s"));
      for (run.started_ns = 1; run.started_ns <= 2; ++run.started_ns) {
        const std::int64_t id = store::add_run(db, run);
        CHECK(id > last);
        CHECK(store::add_run(db, run) == id);
        last = id;
      }
      store::delete_session(db, "s");
    }
  }

  TEST_CASE("runs are found by session, by path and by what is left to do") {
    const Scratch scratch;
    store::Database db{scratch.path() + "/shadow.db"};
    store::add_session(db, a_session("s"));
    store::RunRow run;
    run.session = "s";
    run.argv = {"sh", "-c", "", "a\n\xff"};
    run.cwd = "/x";
    run.started_ns = 5;
    run.id = store::add_run(db, run);
    CHECK(store::unended_runs(db, "s").size() == 1);
    run.state = shadow::RunState::Ended;
    run.ended_ns = 7;
    run.exit_code = 3;
    run.ending = RunEnding::TimedOut;
    store::end_run(db, run);
    CHECK(store::unended_runs(db, "s").empty());
    CHECK(store::unsettled_runs(db, "s").size() == 1);
    store::add_run_changes(
        db, run.id,
        {{"d/x", RunEffect::Written}, {"d0", RunEffect::Deleted}, {"a\n", RunEffect::Written}});
    store::settle_run(db, run.id);
    CHECK(store::unsettled_runs(db, "s").empty());
    CHECK(store::count_changes_of_run(db, run.id) == 3);
    CHECK(store::runs_touching(db, "s", "d").size() == 1);
    CHECK(store::runs_touching(db, "s", "a\n").size() == 1);
    CHECK(store::runs_touching(db, "s", "").size() == 1);
    CHECK(store::runs_touching(db, "s", "d/").empty());
    CHECK(store::runs_touching(db, "s", "x").empty());
    const auto found = store::find_run(db, run.id);
    REQUIRE(found);
    CHECK(found->argv == run.argv);
    CHECK(found->exit_code == 3);
    CHECK(found->ending == RunEnding::TimedOut);
    CHECK(store::changes_of_run(db, run.id).at(2).what == RunEffect::Deleted);
    CHECK_FALSE(found->signal);
    CHECK(store::runs_of_session(db, "s", 1).size() == 1);
    store::delete_session(db, "s");
    CHECK_FALSE(store::find_run(db, run.id));
    CHECK(store::changes_of_run(db, run.id).empty());
  }

  TEST_CASE("every ending and effect has a word of its own") {
    for (const RunEnding ending : {RunEnding::Own, RunEnding::TimedOut, RunEnding::Terminated,
                                   RunEnding::Memory, RunEnding::Killed, RunEnding::NotStarted}) {
      CHECK(store::run_ending_of(shadow::name_of(ending)) == ending);
    }
    for (const RunEffect effect : {RunEffect::Written, RunEffect::Deleted}) {
      CHECK(store::run_effect_of(shadow::name_of(effect)) == effect);
    }
    CHECK(shadow::name_of(RunEnding::NotStarted) == "not started");
    CHECK(store::run_ending_of("of a later version") == RunEnding::Own);
  }

  TEST_CASE("seen entries of the upper are kept per path") {
    const Scratch scratch;
    store::Database db{scratch.path() + "/shadow.db"};
    store::add_session(db, a_session("s"));
    store::put_seen(db, "s", "a\n", {1, ~std::uint64_t{0}, -1});
    store::put_seen(db, "s", "b", {2, 3, 4});
    store::forget_seen(db, "s", "b");
    const store::SeenEntries seen = store::seen_entries(db, "s");
    REQUIRE(seen.size() == 1);
    CHECK(seen.at("a\n") == store::SeenEntry{1, ~std::uint64_t{0}, -1});
  }
}

TEST_SUITE("store/bases") {
  TEST_CASE("a base is replaced, found and deleted") {
    const Scratch scratch;
    store::Database db{scratch.path() + "/shadow.db"};
    store::add_session(db, a_session("s"));
    shadow::Entry entry;
    entry.kind = shadow::EntryKind::Symlink;
    entry.target = "\xff\n";
    store::put_base(db, "s", "p", Base::absent(BaseSource::Tree));
    store::put_base(db, "s", "p", Base::known(entry, BaseSource::Ledger));
    const auto found = store::find_base(db, "s", "p");
    REQUIRE(found);
    CHECK(found->entry().target == "\xff\n");
    CHECK(store::all_bases(db, "s").size() == 1);
    CHECK(store::unsure_bases(db, "s").empty());
    entry.kind = shadow::EntryKind::File;
    store::put_base(db, "s", "p",
                    Base::known(entry, BaseSource::Ledger, BaseContent::object("0123")));
    CHECK(store::unsure_bases(db, "s").at("p").content().object_id() == "0123");
    store::add_pending_prune(db, "s", "x");
    store::add_pending_prune(db, "s", "x");
    CHECK(store::pending_prunes(db, "s") == std::vector<std::string>{"x"});
    CHECK(store::placed_copies(db, "s").empty());
    store::PlacedCopy copy;
    copy.own.kind = shadow::EntryKind::File;
    copy.own.mode = 0644;
    copy.own.ino = 7;
    copy.real_ctime_ns = 5;
    store::put_placed_copy(db, "s", "x", copy);
    CHECK(store::placed_copies(db, "s").at("x").own.ino == 7);
    CHECK(store::placed_copies(db, "s").at("x").real_ctime_ns == 5);
    // Applied again: what is there now is the session's own.
    store::add_pending_prune(db, "s", "x");
    CHECK(store::placed_copies(db, "s").empty());
    store::clear_pending_prunes(db, "s");
    CHECK(store::pending_prunes(db, "s").empty());
  }

  TEST_CASE("an entry that may be a copy is known as long as it is the one that was looked at") {
    const Scratch scratch;
    store::Database db{scratch.path() + "/shadow.db"};
    store::add_session(db, a_session("s"));
    shadow::Entry own;
    own.kind = shadow::EntryKind::File;
    own.ino = 7;
    own.ctime_ns = 5;
    CHECK_FALSE(store::was_seen_beside(db, "s", "x", own));
    store::add_possible_copy(db, "s", {"x", own.ino, own.ctime_ns});
    store::add_possible_copy(db, "s", {"x"});  // the project's is gone
    CHECK(store::possible_copies(db, "s") == std::vector<store::PossibleCopy>{{"x", 7, 5}});
    CHECK(store::was_seen_beside(db, "s", "x", own));
    shadow::Entry written = own;
    written.ctime_ns = 6;
    CHECK_FALSE(store::was_seen_beside(db, "s", "x", written));
    store::add_possible_copy(db, "s", {"x", written.ino, written.ctime_ns});
    CHECK(store::was_seen_beside(db, "s", "x", written));
    store::add_possible_copy(db, "s", {"y"});
    CHECK_FALSE(store::was_seen_beside(db, "s", "y", shadow::Entry{}));
    store::clear_possible_copies(db, "s");
    CHECK_FALSE(store::was_seen_beside(db, "s", "x", written));
  }
}
