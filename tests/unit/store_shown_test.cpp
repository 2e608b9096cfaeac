// SPDX-License-Identifier: MIT
#include "base/digest.hpp"
#include "store/database/database.hpp"
#include "store/tables/sessions.hpp"
#include "store/tables/shown.hpp"
#include "support/scratch.hpp"

#include <doctest/doctest.h>

#include <string>

using shadow::digest_bytes;
using shadow::test::Scratch;
namespace store = shadow::store;

TEST_SUITE("store/shown") {
  TEST_CASE("what was shown last is kept for each path of a session, and goes with it") {
    const Scratch scratch;
    store::Database db{scratch.path() + "/shadow.db"};
    for (const char* id : {"one", "two"}) {
      store::add_session(db, {{id, std::string{"/p"} + id, "a", 1, 1, ""}, "1 2", 1});
    }
    const std::string odd = "a b\n\xff";
    store::put_shown(db, "one", odd, {digest_bytes("old"), 1});
    store::put_shown(db, "one", odd, {digest_bytes("new"), 2});
    store::put_shown(db, "two", odd, {digest_bytes("other"), 3});
    const auto rows = store::all_shown(db, "one");
    REQUIRE(rows.size() == 1);
    CHECK(rows.at(odd).digest == digest_bytes("new"));
    CHECK(rows.at(odd).shown_ns == 2);
    store::delete_session(db, "one");
    CHECK(store::all_shown(db, "one").empty());
    CHECK(store::all_shown(db, "two").size() == 1);
  }

  TEST_CASE(
      "a path is forgotten by itself or with all below it, and nothing that only begins like it") {
    const Scratch scratch;
    store::Database db{scratch.path() + "/shadow.db"};
    store::add_session(db, {{"s", "/p", "a", 1, 1, ""}, "1 2", 1});
    for (const char* path : {"d", "d/x", "d/x/y", "d-x", "d0", "dd", "e/d"}) {
      store::put_shown(db, "s", path, {digest_bytes(path), 1});
    }
    store::forget_shown(db, "s", "dd");
    store::forget_shown_below(db, "s", "d");
    std::string left;
    for (const auto& [path, row] : store::all_shown(db, "s")) {
      left += path + " ";
    }
    CHECK(left == "d-x d0 e/d ");
  }
}
