// SPDX-License-Identifier: MIT
#include "upkeep/keep_bases.hpp"

#include "shadow/error.hpp"

#include "bases/ledger/applied.hpp"
#include "bases/tree/base_tree_take.hpp"
#include "session/directory/review_session.hpp"
#include "store/tables/sessions.hpp"
#include "sys/files/file.hpp"
#include "upkeep/reserve.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::upkeep {
namespace {

void take_if_missing(const session::ReviewSession& session) {
  const auto facts = session.dir.read_facts();
  if (bases::has_base_tree(session.dir.fd()) || !facts ||
      !session::same_directory(facts->identity, sys::identify(session.lower.get()))) {
    return;
  }
  store::Blobs blobs{session.state.path()};
  const auto wait_a_moment = [] {
    // A first command that is soon done has the machine for itself.
    constexpr useconds_t kPause = 100'000;
    ::usleep(kPause);
  };
  const bases::BaseTree tree =
      bases::take_base_tree(session.project.root, facts->base_time_ns, blobs, {}, wait_a_moment);
  if (session.dir.current()) {
    sys::replace_file_at(session.dir.fd(), bases::kBaseTree, bases::encode(tree),
                         S_IRUSR | S_IWUSR);
  }
}

}  // namespace

void keep_bases(const StateDir& state, const std::string& session) {
  store::Database db{state.database()};
  const auto row = store::find_session(db, session);
  const auto opened = row ? session::open_as_it_is(state, *row) : std::nullopt;
  if (!opened) {
    return;
  }
  const auto taking =
      sys::try_lock_file_at(opened->dir.fd(), session::kTakingLock, sys::LockMode::Exclusive);
  if (!taking) {
    return;
  }
  keep_reserve(state);
  take_if_missing(*opened);
  bases::keep_applied_texts(*opened);
}

}  // namespace shadow::upkeep
