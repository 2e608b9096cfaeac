// SPDX-License-Identifier: MIT
#include "upkeep/replaced.hpp"

#include "base/text.hpp"
#include "bases/ledger/parked.hpp"
#include "overlay/read/scan.hpp"
#include "session/directory/live_runs.hpp"
#include "session/directory/remove_session.hpp"
#include "sys/files/identity.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <vector>

#include <fcntl.h>

namespace shadow::upkeep {

namespace {

enum class Layer : std::uint8_t {
  OfProject,  // each entry is a change
  OfCaller    // whiteouts are masks, and directories were made for them
};

bool is_empty(const session::SessionDir& session, const char* upper, Layer layer) {
  const sys::Fd dir = sys::try_open_at(session.fd(), upper, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!dir) {
    return true;
  }
  const std::vector<overlay::UpperEntry> entries = overlay::list_upper(dir.get());
  return std::all_of(entries.begin(), entries.end(), [layer](const overlay::UpperEntry& entry) {
    return layer == Layer::OfCaller &&
           (entry.kind == overlay::UpperKind::Whiteout || entry.entry.kind == EntryKind::Directory);
  });
}

// The read-only home is none of them: its upper has masks and empty mount points.
std::vector<const char*> layers_with_files(const session::SessionDir& session) {
  constexpr std::array kOfProject{"project/upper", "gitdir/upper"};
  constexpr std::array kOfCaller{"home/upper", "home-private/upper", "temporary/upper",
                                 "private-home", "tmp"};
  std::vector<const char*> found;
  std::copy_if(kOfProject.begin(), kOfProject.end(), std::back_inserter(found),
               [&](const char* upper) { return !is_empty(session, upper, Layer::OfProject); });
  std::copy_if(kOfCaller.begin(), kOfCaller.end(), std::back_inserter(found),
               [&](const char* upper) { return !is_empty(session, upper, Layer::OfCaller); });
  return found;
}

}  // namespace

bool is_replaced(const session::SessionDir& session, const std::string& project) {
  const sys::Fd root = sys::try_open_at(AT_FDCWD, project, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const auto facts = session.read_facts();
  return root && facts && !session::same_directory(facts->identity, sys::identify(root.get()));
}

std::string advice_on_replaced(const session::SessionDir& session) {
  std::vector<std::string> places;
  for (const char* upper : layers_with_files(session)) {
    places.push_back(shell_quoted(session.path() + "/" + upper));
  }
  return "move the first one back, or start anew: shadow discard --yes" +
         (places.empty() ? std::string{} : "; the session's files are in " + join(places, ", "));
}

bool holds_nothing(const session::SessionDir& session) {
  return !bases::has_parked(session) && layers_with_files(session).empty();
}

bool drop_empty_locked(const StateDir& state, store::Database& db,
                       const session::SessionDir& session) {
  const auto idle = session::try_lock_unkept(session);
  if (!idle) {
    return false;
  }
  session::wait_for_recorded(session);
  if (!holds_nothing(session)) {
    return false;
  }
  if (const auto row = store::find_session(db, session.id())) {
    session::remove_idle_session(state, db, *row, session);
  }
  return !session.current();
}

bool drop_replaced(const StateDir& state, store::Database& db, const store::SessionRow& row) {
  const auto session = session::SessionDir::find(state, row.id);
  if (!session || !is_replaced(*session, row.project)) {
    return false;
  }
  constexpr std::chrono::milliseconds kPatience{200};
  const auto lock = session->lock_within(kPatience);
  return lock && session->current() && drop_empty_locked(state, db, *session);
}

}  // namespace shadow::upkeep
