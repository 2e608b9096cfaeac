// SPDX-License-Identifier: MIT
// What an apply makes of changes of both sides, and what stays in the session, from files on disk.

#include "shadow/error.hpp"

#include "apply/promotion/promotion.hpp"
#include "base/hash.hpp"
#include "bases/capture/capture.hpp"
#include "changes/review_set.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/scan.hpp"
#include "status/status.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/bases.hpp"
#include "support/session_fixture.hpp"
#include "sys/files/lock.hpp"
#include "sys/files/xattr.hpp"
#include "upkeep/clean_up.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

using shadow::Base;
using shadow::BaseContent;
using shadow::BaseSource;
using shadow::Clash;
using shadow::Error;
using shadow::ExitCode;
using shadow::SkipReason;
using shadow::Verdict;
using shadow::apply::ApplyChoice;
using shadow::apply::OnConflict;
using shadow::apply::Promotion;
using shadow::session::ReviewSession;
using shadow::session::Selection;
using shadow::test::SessionFixture;

namespace {

const std::string base_lines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
const std::string user_lines = "user\n2\n3\n4\n5\n6\n7\n8\n9\n";
const std::string agent_lines = "1\n2\n3\n4\n5\n6\n7\n8\nagent\n";
const std::string both_lines = "user\n2\n3\n4\n5\n6\n7\n8\nagent\n";
const std::string other_lines = "agent\n2\n3\n4\n5\n6\n7\n8\n9\n";

// The real file as it is now, as the ledger would have taken it.
void keep_base(const SessionFixture& fixture, const std::string& path, bool with_text = true) {
  const ReviewSession session = fixture.open();
  auto base =
      Base::known(shadow::overlay::look_beneath(session.lower.get(), path), BaseSource::Ledger);
  if (with_text) {
    shadow::store::Blobs blobs{session.state.path()};
    base = base.with(BaseContent::stored(blobs.put_bytes(fixture.real(path).value_or(""))));
  }
  shadow::store::put_base(*session.db, session.row.id, path, base);
}

Promotion plan(const ReviewSession& session, OnConflict how, const std::string& path = {}) {
  ApplyChoice choice;
  choice.on_conflict = how;
  if (!path.empty()) {
    choice.selection = Selection{{path}, session.project};
  }
  return shadow::apply::plan_promotion(session, choice);
}

ExitCode apply(const SessionFixture& fixture, OnConflict how, const std::string& path = {}) {
  const ReviewSession session = fixture.open();
  const Promotion promotion = plan(session, how, path);
  try {
    shadow::apply::check_promotion(promotion);
  } catch (const Error& error) {
    return error.code();
  }
  shadow::upkeep::clean_up(
      session, shadow::apply::execute_promotion(session, promotion, false).paths.size());
  return ExitCode::Ok;
}

std::size_t count_changes(const SessionFixture& fixture) {
  return shadow::changes::review_changes(fixture.open(), Selection{},
                                         shadow::changes::WalkGitDirs::Yes)
      .items.size();
}

std::string upper_text(const SessionFixture& fixture, const std::string& path) {
  return shadow::sys::read_file_at(AT_FDCWD, fixture.upper() + "/" + path).value_or("(nothing)");
}

// The text of the path's base; nullopt when it is not kept.
std::optional<std::string> base_text(const SessionFixture& fixture, const std::string& path) {
  const ReviewSession session = fixture.open();
  const auto base = shadow::store::find_base(*session.db, session.row.id, path);
  if (!base || !base->content().is_stored()) {
    return std::nullopt;
  }
  const shadow::store::Blobs blobs{session.state.path()};
  const shadow::sys::Fd blob = blobs.open(base->content().hash());
  return blob ? std::optional{shadow::sys::read_all(blob.get())} : std::nullopt;
}

}  // namespace

TEST_SUITE("apply/merge") {
  TEST_CASE("a merge is written, and leaves the session") {
    const SessionFixture fixture{{{"new\nline", base_lines}}};
    keep_base(fixture, "new\nline");
    fixture.write_upper("new\nline", agent_lines);
    fixture.write_real("new\nline", user_lines);
    CHECK(apply(fixture, OnConflict::Stop) == ExitCode::Conflict);
    CHECK(fixture.real("new\nline") == user_lines);
    CHECK(apply(fixture, OnConflict::Merge) == ExitCode::Ok);
    CHECK(fixture.real("new\nline") == both_lines);
    CHECK(count_changes(fixture) == 0);
    CHECK(upper_text(fixture, "new\nline") == "(nothing)");
    CHECK(base_text(fixture, "new\nline") == both_lines);
  }

  TEST_CASE("a live session keeps its version, which is redundant until it changes again") {
    const SessionFixture fixture{{{"f", base_lines}}};
    keep_base(fixture, "f");
    fixture.write_upper("f", agent_lines);
    fixture.write_real("f", user_lines);
    {
      const auto dir = fixture.open().dir.path();
      const shadow::sys::Fd fd = shadow::sys::open_path(dir, O_RDONLY | O_DIRECTORY);
      const auto live = shadow::sys::lock_file_at(fd.get(), "live", shadow::sys::LockMode::Shared);
      CHECK(apply(fixture, OnConflict::Merge) == ExitCode::Ok);
      CHECK(upper_text(fixture, "f") == agent_lines);
      CHECK(count_changes(fixture) == 0);
    }
    SUBCASE("idle, it goes") {
      CHECK(count_changes(fixture) == 0);
      CHECK(upper_text(fixture, "f") == "(nothing)");
    }
    SUBCASE("changed again, it is merged again") {
      fixture.write_upper("f", "1\n2\n3\n4\nlater\n6\n7\n8\nagent\n");
      CHECK(apply(fixture, OnConflict::Merge) == ExitCode::Ok);
      CHECK(fixture.real("f") == "user\n2\n3\n4\nlater\n6\n7\n8\nagent\n");
      CHECK(upper_text(fixture, "f") == "(nothing)");
    }
    SUBCASE("an edit of the project made since then is seen") {
      fixture.write_real("f", both_lines + "more\n");
      CHECK(count_changes(fixture) == 0);
      CHECK(upper_text(fixture, "f") == "(nothing)");
      CHECK(fixture.real("f") == both_lines + "more\n");
    }
  }

  TEST_CASE("what the project has of a merge already is no change") {
    const SessionFixture fixture{{{"f", base_lines}}};
    keep_base(fixture, "f");
    fixture.write_upper("f", agent_lines);
    fixture.write_real("f", both_lines);
    CHECK(count_changes(fixture) == 0);
  }

  TEST_CASE("without the text of the base nothing is merged") {
    const SessionFixture fixture{{{"f", base_lines}}};
    fixture.forget_base_tree();
    keep_base(fixture, "f", false);
    fixture.write_upper("f", agent_lines);
    fixture.write_real("f", user_lines);
    const ReviewSession session = fixture.open();
    const Promotion promotion = plan(session, OnConflict::Merge);
    REQUIRE(promotion.chosen.conflicts.size() == 1);
    CHECK(promotion.chosen.conflicts[0].resolution.clash == Clash::NoBase);
    CHECK(apply(fixture, OnConflict::Markers) == ExitCode::Ok);
    CHECK(fixture.real("f")->find("||||||| base: not known") != std::string::npos);
  }

  TEST_CASE("a damaged text of a base is none") {
    const SessionFixture fixture{{{"f", base_lines}}};
    keep_base(fixture, "f");
    const std::string hash = shadow::to_hex(shadow::hash_bytes(base_lines));
    const std::string blob =
        shadow::StateDir::open().path() + "/blobs/" + hash.substr(0, 2) + "/" + hash;
    shadow::sys::replace_file_at(AT_FDCWD, blob, agent_lines, S_IRUSR | S_IWUSR);
    fixture.write_upper("f", agent_lines);
    fixture.write_real("f", user_lines);
    const ReviewSession session = fixture.open();
    const Promotion promotion = plan(session, OnConflict::Merge);
    REQUIRE(promotion.chosen.conflicts.size() == 1);
    CHECK(promotion.chosen.conflicts[0].resolution.clash == Clash::NoText);
  }

  TEST_CASE("the texts of what was applied are kept, whether the session is idle or live") {
    for (const char* lock_name : {"live", "unused"}) {
      const SessionFixture fixture{{{"old", base_lines}}};
      keep_base(fixture, "old", false);
      fixture.write_upper("old", agent_lines);
      fixture.write_upper("d/ new-", user_lines);
      const auto dir = fixture.open().dir.path();
      const shadow::sys::Fd fd = shadow::sys::open_path(dir, O_RDONLY | O_DIRECTORY);
      const auto lock =
          shadow::sys::lock_file_at(fd.get(), lock_name, shadow::sys::LockMode::Shared);
      CHECK(apply(fixture, OnConflict::Stop) == ExitCode::Ok);
      CHECK(base_text(fixture, "old") == agent_lines);
      CHECK(base_text(fixture, "d/ new-") == user_lines);
    }
  }

  TEST_CASE("an apply of a mode alone keeps the text of the base") {
    const SessionFixture fixture{{{"f", base_lines}}};
    keep_base(fixture, "f");
    fixture.write_upper("f", base_lines);
    REQUIRE(::chmod((fixture.upper() + "/f").c_str(), 0755) == 0);
    CHECK(apply(fixture, OnConflict::Stop) == ExitCode::Ok);
    CHECK(base_text(fixture, "f") == base_lines);
    fixture.write_upper("f", agent_lines);
    REQUIRE(::chmod((fixture.upper() + "/f").c_str(), 0755) == 0);
    fixture.write_real("f", user_lines);
    REQUIRE(::chmod((fixture.root() + "/f").c_str(), 0755) == 0);
    CHECK(apply(fixture, OnConflict::Merge) == ExitCode::Ok);
    CHECK(fixture.real("f") == both_lines);
  }

  TEST_CASE("the ledger completes a base that has no text, while the file is still that base") {
    const SessionFixture fixture{{{"f", base_lines}, {"moved on", base_lines}}};
    fixture.forget_base_tree();
    keep_base(fixture, "f", false);
    keep_base(fixture, "moved on", false);
    fixture.write_real("moved on", user_lines);
    fixture.write_upper("f", agent_lines);
    fixture.write_upper("moved on", agent_lines);
    const ReviewSession session = fixture.open();
    const auto upper = shadow::overlay::list_upper(session.upper.get());
    std::vector<shadow::bases::TouchedEntry> entries;
    entries.reserve(upper.size());
    for (const auto& entry : upper) {
      entries.push_back({&entry, true, 0});
    }
    const shadow::bases::BaseCapture capture{session.state, session.dir, session.lower.get(), 0};
    const auto bases = capture.take(*session.db, entries, 0);
    REQUIRE(bases.size() == 2);
    CHECK(bases[0].path == "f");
    CHECK(bases[0].base.content().is_stored());
    // Its entry came when the project had something else already.
    CHECK(bases[1].path == "moved on");
    CHECK_FALSE(bases[1].base.content().is_stored());
    CHECK(bases[1].base.source() == BaseSource::Tree);
  }
}

TEST_SUITE("apply/conflict") {
  TEST_CASE("a rename carries the edit along, and only as a whole") {
    const SessionFixture fixture{{{"a", base_lines}}};
    keep_base(fixture, "a");
    fixture.delete_in_view("a");
    fixture.write_upper("b", agent_lines);
    fixture.write_real("a", user_lines);
    const auto report = shadow::status::make_status(fixture.open(), Selection{});
    REQUIRE(report.items.size() == 2);
    CHECK(report.items[0].resolution.verdict == Verdict::Merge);
    CHECK(report.items[0].resolution.partner == "b");
    SUBCASE("both") {
      CHECK(apply(fixture, OnConflict::Merge) == ExitCode::Ok);
      CHECK_FALSE(fixture.real("a"));
      CHECK(fixture.real("b") == both_lines);
      CHECK(count_changes(fixture) == 0);
    }
    SUBCASE("the old name alone") {
      CHECK(apply(fixture, OnConflict::Merge, "a") == ExitCode::Conflict);
      CHECK(fixture.real("a") == user_lines);
    }
    SUBCASE("the new name alone") {
      CHECK(apply(fixture, OnConflict::Merge, "b") == ExitCode::Ok);
      CHECK(fixture.real("a") == user_lines);
      CHECK(fixture.real("b") == agent_lines);
    }
  }

  TEST_CASE("ours leaves a conflict and all that lies below it in the session") {
    const SessionFixture fixture{{{"f", base_lines}, {"f-x", "1"}, {"g", "1"}}};
    keep_base(fixture, "f");
    fixture.write_upper("f/below", "of its own");
    fixture.write_upper("f-x", "2");
    fixture.write_upper("g", "2");
    fixture.write_real("f", user_lines);
    const ReviewSession session = fixture.open();
    const Promotion promotion = plan(session, OnConflict::Ours);
    CHECK(promotion.chosen.conflicts.empty());
    REQUIRE(promotion.chosen.left.size() == 2);
    CHECK(promotion.chosen.left[0].because == SkipReason::Conflict);
    CHECK(promotion.chosen.left[1].item.change.path == "f/below");
    CHECK(apply(fixture, OnConflict::Ours) == ExitCode::Ok);
    CHECK(fixture.real("f") == user_lines);
    CHECK(fixture.real("f-x") == "2");
    CHECK(fixture.real("g") == "2");
    CHECK(apply(fixture, OnConflict::Markers) == ExitCode::Conflict);
    CHECK(apply(fixture, OnConflict::Theirs) == ExitCode::Ok);
    CHECK(fixture.real("f/below") == "of its own");
    CHECK(count_changes(fixture) == 0);
  }

  TEST_CASE("a directory that was deleted stays for a file beside which another name sorts") {
    const SessionFixture fixture{{{".gitignore", "*.o\n"}, {"d-x", "1"}, {"d/a.o", "1"}}};
    fixture.delete_in_view("d");
    fixture.delete_in_view("d-x");
    CHECK(apply(fixture, OnConflict::Stop) == ExitCode::Ok);
    CHECK(fixture.real("d/a.o") == "1");
    CHECK_FALSE(fixture.real("d-x"));
  }

  TEST_CASE("a directory that the project deleted comes back only with something in it") {
    const SessionFixture fixture{{{"d/e/f", base_lines}, {"d/e/g", "1"}}};
    keep_base(fixture, "d/e/f");
    fixture.write_upper("d/e/f", agent_lines);
    for (const char* dir : {"/d", "/d/e"}) {
      const shadow::sys::Fd fd =
          shadow::sys::open_path(fixture.upper() + dir, O_RDONLY | O_DIRECTORY);
      shadow::sys::set_xattr(fd.get(), "user.overlay.origin", "");
    }
    shadow::sys::remove_tree(AT_FDCWD, fixture.root() + "/d");
    // The two directories as well, which were the project's to delete.
    CHECK(shadow::status::make_status(fixture.open(), Selection{}).items.size() == 3);
    CHECK(apply(fixture, OnConflict::Stop) == ExitCode::Conflict);
    SUBCASE("ours") {
      CHECK(apply(fixture, OnConflict::Ours) == ExitCode::Ok);
      CHECK(shadow::overlay::look_beneath(fixture.open().lower.get(), "d").kind ==
            shadow::EntryKind::Absent);
    }
    SUBCASE("theirs") {
      CHECK(apply(fixture, OnConflict::Theirs) == ExitCode::Ok);
      CHECK(fixture.real("d/e/f") == agent_lines);
      CHECK(count_changes(fixture) == 0);
    }
    SUBCASE("nothing of the session's is left in it") {
      REQUIRE(::unlink((fixture.upper() + "/d/e/f").c_str()) == 0);
      CHECK(shadow::status::make_status(fixture.open(), Selection{}).items.empty());
      CHECK(apply(fixture, OnConflict::Stop) == ExitCode::Ok);
      CHECK_FALSE(shadow::overlay::look_beneath(fixture.open().lower.get(), "d").exists());
    }
  }

  TEST_CASE("a deletion that was applied does not hide a file that is made anew") {
    const SessionFixture fixture{{{"f", "1"}}};
    fixture.delete_in_view("f");
    {
      const auto dir = fixture.open().dir.path();
      const shadow::sys::Fd fd = shadow::sys::open_path(dir, O_RDONLY | O_DIRECTORY);
      const auto live = shadow::sys::lock_file_at(fd.get(), "live", shadow::sys::LockMode::Shared);
      CHECK(apply(fixture, OnConflict::Stop) == ExitCode::Ok);
      fixture.write_real("f", "again");
      CHECK(count_changes(fixture) == 0);
    }
    CHECK(count_changes(fixture) == 0);
    CHECK(upper_text(fixture, "f") == "(nothing)");
    CHECK(fixture.real("f") == "again");
  }

  TEST_CASE("a file whose attributes the project changed as well is a conflict") {
    const SessionFixture fixture{{{"f", base_lines}}};
    keep_base(fixture, "f");
    fixture.write_upper("f", agent_lines);
    const shadow::sys::Fd file = shadow::sys::open_path(fixture.root() + "/f", O_RDWR);
    shadow::sys::set_xattr(file.get(), "user.mine", "1");
    CHECK(apply(fixture, OnConflict::Markers) == ExitCode::Conflict);
  }
}
