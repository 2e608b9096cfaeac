// SPDX-License-Identifier: MIT
// What a refresh makes of paths that an ordinary run does not lead to.

#include "refresh/refresh.hpp"

#include "shadow/error.hpp"

#include "base/hash.hpp"
#include "changes/review_set.hpp"
#include "overlay/format/look.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/pending_bases.hpp"
#include "support/session_fixture.hpp"
#include "support/trees.hpp"
#include "sys/files/lock.hpp"

#include <doctest/doctest.h>

#include <string>

using shadow::Base;
using shadow::BaseContent;
using shadow::BaseSource;
using shadow::EntryKind;
using shadow::session::ReviewSession;
using shadow::test::SessionFixture;

namespace {

Base base_now(const ReviewSession& session, const std::string& path) {
  return Base::known(shadow::overlay::look_beneath(session.lower.get(), path), BaseSource::Ledger);
}

void keep_base(const SessionFixture& fixture, const std::string& path) {
  const ReviewSession session = fixture.open();
  Base base = base_now(session, path);
  if (base.entry().kind == EntryKind::File) {
    base = base.with(BaseContent::stored(
        shadow::store::Blobs{session.state.path()}.put_bytes(fixture.real(path).value_or(""))));
  }
  shadow::store::put_base(*session.db, session.row.id, path, base);
}

}  // namespace

TEST_SUITE("refresh") {
  TEST_CASE("a directory whose mode only the user changed takes that mode, and keeps its files") {
    const SessionFixture fixture{{{"d/f", "1\n"}}};
    shadow::test::set_mode(fixture.root(), "d", 0755);
    keep_base(fixture, "d");
    fixture.write_upper("d/n", "new\n");
    shadow::test::set_mode(fixture.upper(), "d", 0755);
    shadow::test::set_mode(fixture.root(), "d", 0700);
    const ReviewSession session = fixture.open();
    const auto report = shadow::refresh::refresh(session, {});
    REQUIRE(report.done.size() == 1);
    CHECK_FALSE(report.done[0].merged);
    CHECK(shadow::overlay::look_beneath(session.upper.get(), "d").mode == 0700);
    CHECK(shadow::test::read(fixture.upper(), "d/n") == "new\n");
    CHECK(shadow::changes::review_changes(session, {}, shadow::changes::WalkGitDirs::Yes)
              .behind.empty());
  }

  TEST_CASE("a file that became a directory in the project is one in the view") {
    const SessionFixture fixture{{{"f", "1\n"}}};
    keep_base(fixture, "f");
    fixture.write_upper("f", "1\n");
    shadow::test::remove(fixture.root(), "f");
    fixture.write_real("f/x", "1\n");
    const ReviewSession session = fixture.open();
    CHECK(shadow::refresh::refresh(session, {}).done.size() == 1);
    CHECK_FALSE(shadow::overlay::look_beneath(session.upper.get(), "f").exists());
    CHECK(shadow::store::find_base(*session.db, session.row.id, "f")->entry().kind ==
          EntryKind::Directory);
  }

  TEST_CASE("what the user deleted has no file as its base any more") {
    const SessionFixture fixture{{{"f", "1\n"}}};
    keep_base(fixture, "f");
    fixture.write_upper("f", "1\n");
    shadow::test::remove(fixture.root(), "f");
    const ReviewSession session = fixture.open();
    CHECK(shadow::refresh::refresh(session, {}).done.size() == 1);
    const auto base = shadow::store::find_base(*session.db, session.row.id, "f");
    REQUIRE(base.has_value());
    CHECK(base->is_absent());
  }

  TEST_CASE("a base that was noted counts only when the upper is what was to come") {
    const SessionFixture fixture{{{"f", "1\n"}, {"g", "1\n"}, {"h", "1\n"}}};
    fixture.write_upper("f", "merged\n");
    fixture.write_upper("g", "of a later run\n");
    {
      const ReviewSession session = fixture.open();
      const std::string hash = shadow::to_hex(shadow::hash_bytes("merged\n"));
      for (const char* path : {"f", "g"}) {
        shadow::store::add_pending_base(*session.db, session.row.id,
                                        {path, path, hash, base_now(session, path)});
      }
      shadow::store::add_pending_base(*session.db, session.row.id,
                                      {"h", "h", "", base_now(session, "h")});
    }
    const ReviewSession session = fixture.open();
    CHECK(shadow::store::find_base(*session.db, session.row.id, "f").has_value());
    CHECK_FALSE(shadow::store::find_base(*session.db, session.row.id, "g").has_value());
    CHECK(shadow::store::find_base(*session.db, session.row.id, "h").has_value());
    CHECK(shadow::store::pending_bases(*session.db, session.row.id).empty());
  }

  TEST_CASE("the bases that a refresh which goes on has noted are left to it") {
    const SessionFixture fixture{{{"f", "1\n"}}};
    {
      const ReviewSession session = fixture.open();
      shadow::store::add_pending_base(*session.db, session.row.id,
                                      {"f", "f", "", base_now(session, "f")});
    }
    const shadow::sys::Fd dir =
        shadow::sys::open_path(fixture.upper() + "/../..", O_RDONLY | O_DIRECTORY);
    const auto lock =
        shadow::sys::lock_file_at(dir.get(), "lock", shadow::sys::LockMode::Exclusive);
    const ReviewSession session = fixture.open();
    CHECK(shadow::store::pending_bases(*session.db, session.row.id).size() == 1);
  }

  TEST_CASE("no refresh while a run has the session that cannot be joined") {
    const SessionFixture fixture{{{"f", "1\n"}}};
    const ReviewSession session = fixture.open();
    const shadow::sys::Fd dir = shadow::sys::open_path(session.dir.path(), O_RDONLY | O_DIRECTORY);
    const auto live = shadow::sys::lock_file_at(dir.get(), "live", shadow::sys::LockMode::Shared);
    try {
      (void)shadow::refresh::refresh(session, {});
      FAIL("it did");
    } catch (const shadow::Error& error) {
      CHECK(error.code() == shadow::ExitCode::Refused);
      CHECK(error.hint() == "try again");
    }
  }
}
