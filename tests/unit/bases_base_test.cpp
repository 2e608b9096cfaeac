// SPDX-License-Identifier: MIT
// The base as a type: what each kind of knowledge says, that the database keeps it, and the tables
// of drift over all of them.

#include "shadow/base.hpp"

#include "base/hash.hpp"
#include "bases/capture/drift.hpp"
#include "bases/ledger/sight.hpp"
#include "store/database/database.hpp"
#include "store/tables/apply_bases.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/pending_bases.hpp"
#include "store/tables/sessions.hpp"
#include "support/scratch.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using shadow::Base;
using shadow::BaseContent;
using shadow::BaseSource;
using shadow::Drift;
using shadow::Entry;
using shadow::EntryKind;
using shadow::promote::Seen;
namespace store = shadow::store;

namespace {

const std::string text_hash = shadow::to_hex(shadow::hash_bytes("text"));
constexpr BaseSource kSources[] = {BaseSource::Tree, BaseSource::Ledger, BaseSource::Apply};
constexpr EntryKind kKinds[] = {EntryKind::Absent,    EntryKind::File, EntryKind::Symlink,
                                EntryKind::Directory, EntryKind::Fifo, EntryKind::Socket,
                                EntryKind::Device};

Entry entry(EntryKind kind, std::uint64_t ino = 1, std::uint32_t mode = 0644) {
  Entry made;
  made.kind = kind;
  made.ino = kind == EntryKind::Absent ? 0 : ino;
  made.mode = kind == EntryKind::Absent ? 0 : mode;
  return made;
}

std::vector<Base> all_bases() {
  std::vector<Base> bases;
  for (const EntryKind kind : kKinds) {
    bases.push_back(Base::unknown(entry(kind)));
    bases.push_back(Base::unsettled(entry(kind)));
    for (const BaseSource source : kSources) {
      bases.push_back(Base::known(entry(kind), source));
    }
  }
  for (const BaseSource source : kSources) {
    bases.push_back(Base::absent(source));
    for (const auto& content : {BaseContent::hashed(text_hash), BaseContent::stored(text_hash),
                                BaseContent::object("0123")}) {
      bases.push_back(Base::known(entry(EntryKind::File), source, content));
    }
  }
  return bases;
}

bool same(const Base& a, const Base& b) {
  return a.is_known() == b.is_known() && a.is_absent() == b.is_absent() &&
         a.is_lost() == b.is_lost() && a.source() == b.source() &&
         a.entry().kind == b.entry().kind && shadow::same_state(a.entry(), b.entry()) &&
         a.content().hash() == b.content().hash() &&
         a.content().is_stored() == b.content().is_stored() &&
         a.content().object_id() == b.content().object_id();
}

}  // namespace

TEST_SUITE("bases/base") {
  TEST_CASE("a base is unknown, absent or known, and says no more than that") {
    for (const Base& base : all_bases()) {
      CHECK(base.is_known() == base.source().has_value());
      CHECK((!base.is_absent() || base.is_known()));
      CHECK((!base.is_lost() || !base.is_known()));
      CHECK((!base.is_absent() || !base.entry().exists()));
      CHECK((base.is_known() || base.content().is_nothing()));
      CHECK((!base.content().is_stored() || !base.content().hash().empty()));
      CHECK((base.content().hash().empty() || base.content().object_id().empty()));
    }
  }

  TEST_CASE("what is not there has no content, but a packed ref has") {
    CHECK(Base::known({}, BaseSource::Tree).is_absent());
    const Base packed = Base::known({}, BaseSource::Apply, BaseContent::stored(text_hash));
    CHECK_FALSE(packed.is_absent());
    CHECK(packed.content().is_stored());
  }

  TEST_CASE("a blob whose name has a suffix is another content of the same hash: no text") {
    CHECK(BaseContent::stored(text_hash + "-1").is_nothing());
    CHECK(BaseContent::hashed("").is_nothing());
    CHECK(BaseContent::object("").is_nothing());
  }

  TEST_CASE("an unknown base stays unknown, whatever is said of it") {
    for (const Base& base :
         {Base::unknown(entry(EntryKind::File)), Base::unsettled(entry(EntryKind::File))}) {
      CHECK(same(base.from(BaseSource::Ledger), base));
      CHECK(same(base.with(BaseContent::stored(text_hash)), base));
      CHECK(same(base.at(entry(EntryKind::Directory)), base));
    }
  }

  TEST_CASE("a known base has another source, content or entry, and keeps the rest") {
    const auto content = BaseContent::stored(text_hash);
    const Base base = Base::known(entry(EntryKind::File), BaseSource::Tree, content);
    CHECK(same(base.from(BaseSource::Apply),
               Base::known(entry(EntryKind::File), BaseSource::Apply, content)));
    CHECK(same(base.at(entry(EntryKind::File, 2)),
               Base::known(entry(EntryKind::File, 2), BaseSource::Tree, content)));
    CHECK(same(base.with({}), Base::known(entry(EntryKind::File), BaseSource::Tree)));
    CHECK(Base::absent(BaseSource::Tree).from(BaseSource::Apply).source() == BaseSource::Apply);
  }

  TEST_CASE("all tables give back what they were given") {
    const shadow::test::Scratch scratch;
    store::Database db{scratch.path() + "/shadow.db"};
    store::SessionRow session;
    session.id = "s";
    session.project = "/p";
    store::add_session(db, session);
    for (const Base& base : all_bases()) {
      store::put_base(db, "s", "p", base);
      CHECK(same(store::find_base(db, "s", "p").value(), base));
      if (base.content().object_id().empty()) {  // of what a refresh writes none is one
        store::add_pending_base(db, "s", {"p", "p", "", base});
        CHECK(same(store::pending_bases(db, "s").at(0).base, base));
      }
    }
  }
}

TEST_SUITE("bases/drift") {
  TEST_CASE("every base against every entry of the project") {
    for (const Base& base : all_bases()) {
      for (const EntryKind kind : kKinds) {
        for (const std::uint64_t ino : {1U, 2U}) {
          for (const std::uint32_t mode : {0644U, 0600U}) {
            const Entry real = entry(kind, ino, mode);
            const bool was = base.entry().exists();
            const bool directories =
                kind == EntryKind::Directory && base.entry().kind == EntryKind::Directory;
            const bool alike = directories ? mode == base.entry().mode
                                           : base.is_known() && kind == base.entry().kind &&
                                                 shadow::same_state(real, base.entry());
            const Drift expected = !was && !real.exists() ? Drift::None
                                   : !was                 ? Drift::Appeared
                                   : !real.exists()       ? Drift::Vanished
                                   : alike                ? Drift::None
                                                          : Drift::Changed;
            CHECK(shadow::bases::drift_of({real, &base, 0, true}) == expected);
          }
        }
      }
    }
  }

  TEST_CASE("only a known base is equalled, and a file only by its hash") {
    for (const Base& base : all_bases()) {
      for (const EntryKind kind : kKinds) {
        const bool equal = shadow::bases::equals_base_content(entry(kind), -1, base);
        const bool expected = base.is_known() && kind == base.entry().kind &&
                              kind != EntryKind::File && kind != EntryKind::Device;
        CHECK(equal == expected);
      }
    }
  }
}

TEST_SUITE("bases/may undo") {
  TEST_CASE("over all that is known of an entry that has the base's content") {
    for (const EntryKind kind : kKinds) {
      for (const Seen seen : {Seen::No, Seen::Maybe, Seen::Yes}) {
        for (const bool copied_up : {false, true}) {
          for (const bool empty : {false, true}) {
            for (const unsigned times : {0U, 1U, 2U, 3U}) {
              const bool base_time = (times & 1U) != 0;
              const bool later = (times & 2U) != 0;
              const bool may =
                  shadow::bases::may_undo({kind, seen, copied_up, empty, base_time, later});
              // A directory with something in it is the way to that; one that was copied up was
              // there.
              const bool directory = kind == EntryKind::Directory && empty && !copied_up;
              // Made before the project's edit, or copied up and left alone, it undoes nothing.
              const bool other = kind == EntryKind::Absent ||
                                 (kind == EntryKind::File && !(copied_up && base_time && !later)) ||
                                 (kind == EntryKind::Symlink && !(base_time && !later));
              CHECK(may == (directory || (seen != Seen::No && other)));
            }
          }
        }
      }
    }
  }
}
