// SPDX-License-Identifier: MIT
#include "upkeep/keep_bases.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "bases/ledger/applied.hpp"
#include "bases/tree/base_tree_take.hpp"
#include "bases/tree/renewed_tree.hpp"
#include "commits/follow/follow_branch.hpp"
#include "session/directory/followed_head.hpp"
#include "session/directory/review_session.hpp"
#include "store/tables/sessions.hpp"
#include "sys/files/clock.hpp"
#include "sys/files/file.hpp"
#include "sys/files/lock.hpp"
#include "sys/processes/process.hpp"
#include "upkeep/reserve.hpp"

#include <cstdint>
#include <optional>

#include <sys/stat.h>
#include <unistd.h>

namespace shadow::upkeep {
namespace {

// Writes nothing when a refresh has renewed the base time meanwhile, for which it takes the same
// lock: it has started another process for the tree.
void put_tree(const session::ReviewSession& session, const session::SessionFacts& of,
              const bases::BaseTree& tree) {
  if (!session.dir.current()) {
    return;
  }
  const sys::FileLock ledger =
      sys::lock_file_at(session.dir.fd(), "ledger", sys::LockMode::Exclusive);
  const auto facts = session.dir.read_facts();
  if (session.dir.current() && facts && facts->base_time_ns == of.base_time_ns) {
    sys::replace_file_at(session.dir.fd(), bases::kBaseTree, bases::encode(tree),
                         S_IRUSR | S_IWUSR);
  }
}

// Not where this process had to wait for long.
bool is_recent(const session::SessionFacts& facts) {
  constexpr std::int64_t kAtOnce = 2'000'000'000;
  return sys::now_ns() - facts.base_time_ns < kAtOnce;
}

bases::BaseTree take(const session::ReviewSession& session, const session::SessionFacts& facts) {
  SHADOW_FAIL_POINT("base-tree-begun");
  store::Blobs blobs{session.state.path()};
  if (facts.renewed && is_recent(facts)) {
    return bases::take_renewed_tree(session.project.root, facts.base_time_ns, session.upper.get(),
                                    blobs, sys::fall_behind);
  }
  const auto wait_a_moment = [] {
    sys::fall_behind();
    // A first command that is soon done has the machine for itself.
    constexpr useconds_t kPause = 100'000;
    ::usleep(kPause);
  };
  return bases::take_base_tree(session.project.root, facts.base_time_ns, blobs, {}, wait_a_moment);
}

// After the process that takes it just now, which may have passed what this one was started for.
// Nothing is made in a session that is being deleted.
std::optional<sys::FileLock> wait_to_take(const session::SessionDir& session) {
  constexpr std::int64_t kPatience = 10'000'000'000;
  constexpr useconds_t kPause = 20'000;
  const std::int64_t give_up = sys::monotonic_ns() + kPatience;
  while (session.current() && sys::monotonic_ns() < give_up) {
    if (auto taking =
            sys::try_lock_file_at(session.fd(), session::kTakingLock, sys::LockMode::Exclusive)) {
      return taking;
    }
    ::usleep(kPause);
  }
  return std::nullopt;
}

void take_if_missing(const session::ReviewSession& session) {
  const auto facts = session.dir.read_facts();
  if (!bases::has_base_tree(session.dir.fd()) && facts &&
      session::same_directory(facts->identity, sys::identify(session.lower.get()))) {
    put_tree(session, *facts, take(session, *facts));
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
  const auto taking = wait_to_take(opened->dir);
  if (!taking) {
    return;
  }
  take_if_missing(*opened);  // first: the user may be at work
  if (!session::read_followed_head(opened->dir)) {
    commits::note_followed(*opened);
  }
  sys::fall_behind();
  keep_reserve(state);
  bases::keep_applied_texts(*opened);
}

}  // namespace shadow::upkeep
