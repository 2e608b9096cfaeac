// SPDX-License-Identifier: MIT
// Review, apply and discard of a session from its files on disk.

#include "shadow/error.hpp"

#include "apply/promotion/promotion.hpp"
#include "base/hash.hpp"
#include "changes/review_set.hpp"
#include "discard/discard.hpp"
#include "discard/gc.hpp"
#include "overlay/format/look.hpp"
#include "sensitive/repositories/new_git_dir.hpp"
#include "session/directory/idle.hpp"
#include "session/directory/remove_session.hpp"
#include "session/project/git_dir.hpp"
#include "status/listing.hpp"
#include "status/status.hpp"
#include "store/tables/bases.hpp"
#include "support/session_fixture.hpp"
#include "upkeep/clean_up.hpp"
#include "upkeep/tally.hpp"

#include <doctest/doctest.h>

using shadow::Drift;
using shadow::Error;
using shadow::ExitCode;
using shadow::ReviewSet;
using shadow::session::ReviewSession;
using shadow::session::Selection;
using shadow::test::SessionFixture;

namespace {

ReviewSet review(const ReviewSession& session) {
  return shadow::changes::review_changes(session, Selection{}, shadow::changes::WalkGitDirs::Yes);
}

// The real file as it is now is the base, by its hash alone.
void keep_hash(const ReviewSession& session, const std::string& path, const std::string& text) {
  const auto content = shadow::BaseContent::hashed(shadow::to_hex(shadow::hash_bytes(text)));
  shadow::store::put_base(
      *session.db, session.row.id, path,
      shadow::Base::known(shadow::overlay::look_beneath(session.lower.get(), path),
                          shadow::BaseSource::Ledger, content));
}

std::vector<std::string> paths(const ReviewSet& set) {
  std::vector<std::string> list;
  for (const auto& item : set.items) {
    list.push_back(item.change.path);
  }
  return list;
}

std::vector<std::string> paths(const std::vector<shadow::ReviewItem>& items) {
  return paths(ReviewSet{items});
}

shadow::ApplyResult apply(const ReviewSession& session,
                          const shadow::apply::ApplyChoice& choice = {}) {
  const auto promotion = shadow::apply::plan_promotion(session, choice);
  shadow::apply::check_promotion(promotion);
  shadow::ApplyResult result = shadow::apply::execute_promotion(session, promotion, false);
  shadow::upkeep::clean_up(session, result.paths.size());
  return result;
}

ExitCode refusal(const ReviewSession& session, const shadow::apply::ApplyChoice& choice = {}) {
  try {
    apply(session, choice);
  } catch (const Error& error) {
    return error.code();
  }
  return ExitCode::Ok;
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_SUITE("changes/review_set") {
  TEST_CASE("changes are listed with what became of the real file") {
    const SessionFixture fixture{{{"same", "1"}, {"both", "1"}, {"new\nline", "1"}}};
    fixture.write_upper("same", "2");
    fixture.write_upper("both", "2");
    fixture.write_upper("new\nline", "1");  // copied up and not changed
    fixture.write_upper("\xff", "x");
    fixture.write_upper(".lectic_script-1", "x");
    fixture.write_upper("sub/.lectic_script-2", "x");
    fixture.write_real("both", "3");
    const ReviewSession session = fixture.open();
    const ReviewSet set = review(session);
    CHECK(paths(set) == Strings{"both", "same", "sub", "\xff"});
    CHECK(set.items[0].drift != Drift::None);
    CHECK(set.items[1].drift == Drift::None);
    CHECK(set.items[3].drift == Drift::None);
  }

  TEST_CASE("a file that the session has as it was is no change when only the user changed it") {
    const SessionFixture fixture{{{"f", "old"}}};
    fixture.write_upper("f", "old");
    {
      const ReviewSession session = fixture.open();
      keep_hash(session, "f", "old");
    }
    fixture.write_real("f", "new");
    CHECK(review(fixture.open()).empty());
    fixture.write_upper("f", "mine");
    const ReviewSet set = review(fixture.open());
    REQUIRE(set.items.size() == 1);
    CHECK(set.items[0].drift == Drift::Changed);
  }

  TEST_CASE("new times alone are no change of the real file") {
    const SessionFixture fixture{{{"f", "old"}}};
    fixture.write_upper("f", "mine");
    {
      const ReviewSession session = fixture.open();
      keep_hash(session, "f", "old");
    }
    fixture.write_real("f", "old");
    const ReviewSet set = review(fixture.open());
    REQUIRE(set.items.size() == 1);
    CHECK(set.items[0].drift == Drift::None);
  }

  TEST_CASE("ignored files are folded into their directory, deletions told apart") {
    const SessionFixture fixture{{{".gitignore", "out/\n*.o\n"}, {"out/old", "1"}, {"a.o", "1"}}};
    fixture.write_upper("out/x/y", "123");
    fixture.write_upper("out/z", "1");
    fixture.write_upper("b.o", "12");
    fixture.delete_in_view("a.o");
    const auto report = shadow::status::make_status(fixture.open(), Selection{});
    CHECK(report.items.empty());
    REQUIRE(report.ignored.size() == 3);
    CHECK(report.ignored[0].path == "a.o");
    CHECK(report.ignored[0].deleted == 1);
    CHECK(report.ignored[1].path == "b.o");
    CHECK(report.ignored[2].path == "out");
    CHECK(report.ignored[2].directory);
    CHECK(report.ignored[2].files == 2);
    CHECK(report.ignored[2].bytes == 4);
  }

  TEST_CASE("the session that is meant: named, the only one, the only one with changes") {
    SessionFixture fixture;
    CHECK(fixture.open(std::nullopt).row.agent == "a b/../c");
    fixture.add_session("other");
    CHECK_THROWS_AS((void)fixture.open(std::nullopt), Error);
    fixture.write_upper("f", "1");
    CHECK(fixture.open(std::nullopt).row.agent == "a b/../c");
    CHECK(fixture.open("other").row.agent == "other");
    CHECK_THROWS_AS((void)fixture.open("nobody"), Error);
  }

  TEST_CASE("a project that was made anew is not the session's") {
    const SessionFixture fixture;
    REQUIRE(::rename(fixture.root().c_str(), (fixture.root() + ".old").c_str()) == 0);
    REQUIRE(::mkdir(fixture.root().c_str(), S_IRWXU) == 0);
    CHECK_THROWS_AS((void)fixture.open(), Error);
  }
}

TEST_SUITE("apply/promotion") {
  TEST_CASE("what is applied is in the project and leaves the session") {
    const SessionFixture fixture{{{"mod", "1"}, {"gone", "1"}}};
    fixture.write_upper("mod", "2");
    fixture.write_upper("new dir/ f-", "3");
    fixture.delete_in_view("gone");
    const ReviewSession session = fixture.open();
    CHECK(apply(session).paths.size() == 4);
    CHECK(fixture.real("mod") == "2");
    CHECK(fixture.real("new dir/ f-") == "3");
    CHECK_FALSE(fixture.real("gone"));
    CHECK(review(session).empty());
    CHECK(shadow::sys::list_dir(session.upper.get()).empty());
    fixture.write_upper("mod", "4");
    const ReviewSet again = review(fixture.open());
    REQUIRE(again.items.size() == 1);
    CHECK(again.items[0].drift == Drift::None);
  }

  TEST_CASE("a path brings the directories along that it needs, and nothing else") {
    const SessionFixture fixture;
    fixture.write_upper("d/e/f", "1");
    fixture.write_upper("d/g", "1");
    const ReviewSession session = fixture.open();
    shadow::apply::ApplyChoice choice;
    choice.selection = Selection{{"d/e/f"}, {fixture.root(), fixture.root()}};
    apply(session, choice);
    CHECK(fixture.real("d/e/f") == "1");
    CHECK_FALSE(fixture.real("d/g"));
    CHECK(paths(review(session)) == Strings{"d/g"});
  }

  TEST_CASE("one drifted path stops all of it") {
    const SessionFixture fixture{{{"a", "1"}, {"b", "1"}, {"deleted", "1"}}};
    fixture.write_upper("a", "2");
    fixture.write_upper("b", "2");
    fixture.write_real("b", "3");
    CHECK(refusal(fixture.open()) == ExitCode::Conflict);
    CHECK(fixture.real("a") == "1");
    CHECK(fixture.real("b") == "3");
    shadow::apply::ApplyChoice choice;
    choice.selection = Selection{{"a"}, {fixture.root(), fixture.root()}};
    CHECK(refusal(fixture.open(), choice) == ExitCode::Ok);
    CHECK(fixture.real("a") == "2");
  }

  TEST_CASE("a deletion of what the user changed is a conflict") {
    const SessionFixture fixture{{{"f", "1"}}};
    fixture.delete_in_view("f");
    fixture.write_real("f", "2");
    CHECK(refusal(fixture.open()) == ExitCode::Conflict);
    CHECK(fixture.real("f") == "2");
  }

  TEST_CASE("a file of the same name on both sides is a conflict unless it is the same") {
    const SessionFixture fixture;
    fixture.write_upper("f", "1");
    fixture.write_real("f", "2");
    CHECK(refusal(fixture.open()) == ExitCode::Conflict);
    fixture.write_real("f", "1");
    CHECK(review(fixture.open()).empty());
  }

  TEST_CASE("sensitive changes wait for a word") {
    const SessionFixture fixture;
    fixture.write_upper(".envrc", "x");
    fixture.write_upper("sub/.vscode/tasks.json", "x");
    fixture.write_upper("plain", "x");
    CHECK(refusal(fixture.open()) == ExitCode::Refused);
    CHECK_FALSE(fixture.real("plain"));
    shadow::apply::ApplyChoice skip;
    skip.skip_sensitive = true;
    CHECK(refusal(fixture.open(), skip) == ExitCode::Ok);
    CHECK(fixture.real("plain") == "x");
    CHECK_FALSE(fixture.real(".envrc"));
    shadow::apply::ApplyChoice by_path;
    by_path.sensitive_paths = {".envrc"};
    CHECK(refusal(fixture.open(), by_path) == ExitCode::Refused);
    by_path.sensitive_paths = {".envrc", "sub"};
    CHECK(refusal(fixture.open(), by_path) == ExitCode::Ok);
    CHECK(fixture.real("sub/.vscode/tasks.json") == "x");
    CHECK(review(fixture.open()).empty());
  }

  TEST_CASE("ignored changes stay until asked for") {
    const SessionFixture fixture{{{".gitignore", "out/\n"}}};
    fixture.write_upper("out/x", "1");
    fixture.write_upper("y", "1");
    const auto promotion = shadow::apply::plan_promotion(fixture.open(), {});
    CHECK(paths(promotion.chosen.taken) == Strings{"y"});
    CHECK(promotion.chosen.left.size() == 2);
    shadow::apply::ApplyChoice all;
    all.ignored = true;
    apply(fixture.open(), all);
    CHECK(fixture.real("out/x") == "1");
  }

  TEST_CASE("an old git directory is left, but for what is allowed by path") {
    const SessionFixture fixture{{{".git/HEAD", "ref: refs/heads/main\n"}}};
    fixture.write_upper(".git/hooks/pre-commit", "evil");
    fixture.write_upper(".git/index", "x");
    fixture.write_upper("f", "1");
    const auto promotion = shadow::apply::plan_promotion(fixture.open(), {});
    CHECK(paths(promotion.chosen.taken) == Strings{"f"});
    CHECK(promotion.chosen.blocked.empty());
    shadow::apply::ApplyChoice hook;
    hook.sensitive_paths = {".git/hooks/pre-commit"};
    apply(fixture.open(), hook);
    CHECK(fixture.real(".git/hooks/pre-commit") == "evil");
    CHECK_FALSE(fixture.real(".git/index"));
  }

  TEST_CASE("a new git directory comes without hooks and with a plain config") {
    const SessionFixture fixture;
    fixture.write_upper(".git/HEAD", "ref: refs/heads/main\n");
    fixture.write_upper(".git/config", "[core]\n\tfsmonitor = evil\n");
    fixture.write_upper(".git/hooks/pre-commit", "evil");
    fixture.write_upper("sub/.git/objects/info/alternates", "/etc\n");
    apply(fixture.open());
    CHECK(fixture.real(".git/HEAD") == "ref: refs/heads/main\n");
    CHECK(fixture.real(".git/config") == shadow::sensitive::reduced_git_config(""));
    CHECK_FALSE(fixture.real(".git/hooks/pre-commit"));
    CHECK_FALSE(fixture.real("sub/.git/objects/info/alternates"));
  }

  TEST_CASE("a deleted directory stays while something ignored in it does") {
    const SessionFixture fixture{{{".gitignore", "*.o\n"}, {"d/a.c", "1"}, {"d/a.o", "1"}}};
    fixture.delete_in_view("d");
    apply(fixture.open());
    CHECK_FALSE(fixture.real("d/a.c"));
    CHECK(fixture.real("d/a.o") == "1");
  }

  TEST_CASE("an undo gives the project back, and the session can go on from there") {
    const SessionFixture fixture{{{"f", "1"}}};
    fixture.write_upper("f", "2");
    const ReviewSession session = fixture.open();
    apply(session);
    const auto undo = shadow::plan_undo(
        session.site(), shadow::choose_undo(session.site(), std::nullopt, std::nullopt),
        [](const auto&) { return shadow::MovedFrom{}; });
    (void)shadow::apply::undo_in_session(session, undo);
    CHECK(fixture.real("f") == "1");
    fixture.write_upper("f", "3");
    const ReviewSet set = review(fixture.open());
    REQUIRE(set.items.size() == 1);
    CHECK(set.items[0].drift == Drift::None);
  }
}

TEST_SUITE("discard") {
  TEST_CASE("discarded paths are what the project has, and the rest stays") {
    const SessionFixture fixture{{{"a", "1"}, {"d/b", "1"}}};
    fixture.write_upper("a", "2");
    fixture.write_upper("d/b", "2");
    fixture.write_upper("d/c", "2");
    const ReviewSession session = fixture.open();
    shadow::discard::discard_paths(session, {"d"}, shadow::session::LiveRuns::Refuse);
    CHECK(paths(review(session)) == Strings{"a"});
  }

  TEST_CASE("a discarded session is gone, and a live one is refused") {
    const SessionFixture fixture;
    fixture.write_upper("a", "2");
    const auto state = shadow::StateDir::open();
    shadow::store::Database db{state.database()};
    const auto row = shadow::store::all_sessions(db).front();
    {
      const auto dir = shadow::session::SessionDir::find(state, row.id);
      const auto live = shadow::sys::lock_file_at(dir->fd(), "live", shadow::sys::LockMode::Shared);
      CHECK_THROWS_AS(
          shadow::session::discard_session(state, db, row, shadow::session::LiveRuns::Refuse),
          Error);
      CHECK(shadow::status::list_sessions(state, db).front().live);
    }
    shadow::session::discard_session(state, db, row, shadow::session::LiveRuns::Refuse);
    CHECK(shadow::store::all_sessions(db).empty());
    CHECK_FALSE(shadow::session::SessionDir::find(state, row.id));
    CHECK_THROWS_AS((void)fixture.open(), Error);
    CHECK(shadow::discard::collect_garbage(state, db, 0, shadow::GcMode::DryRun).trash == 1);
    CHECK(shadow::discard::collect_garbage(state, db, 0, shadow::GcMode::Remove).trash == 1);
    CHECK(shadow::discard::collect_garbage(state, db, 0, shadow::GcMode::Remove).trash == 0);
  }

  TEST_CASE("gc removes a session whose project is long gone, and list tells of it before") {
    const SessionFixture fixture{{{"f", "1"}}};
    fixture.write_upper("f", "2");
    const auto state = shadow::StateDir::open();
    shadow::store::Database db{state.database()};
    REQUIRE(shadow::status::list_sessions(state, db).size() == 1);
    CHECK_FALSE(shadow::status::list_sessions(state, db).front().changed);
    shadow::upkeep::count_sessions(state, {shadow::store::all_sessions(db).front().id});
    CHECK(shadow::status::list_sessions(state, db).front().changed == 1U);
    CHECK(shadow::status::list_sessions(state, db).front().bytes == 1U);
    shadow::sys::remove_tree(AT_FDCWD, fixture.root());
    CHECK(shadow::status::list_sessions(state, db).front().project_missing);
    CHECK(shadow::discard::collect_garbage(state, db, 0, shadow::GcMode::Remove).held.size() == 1);
    CHECK(shadow::store::all_sessions(db).size() == 1);
    const std::int64_t later = shadow::store::all_sessions(db).front().used_ns;
    CHECK(shadow::discard::collect_garbage(state, db, later, shadow::GcMode::Remove)
              .sessions.size() == 1);
    CHECK(shadow::store::all_sessions(db).empty());
  }
}
