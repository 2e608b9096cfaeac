// SPDX-License-Identifier: MIT
#include "bases/ledger/parked.hpp"

#include "shadow/error.hpp"

#include "base/fail_point.hpp"
#include "bases/ledger/hidden_names.hpp"
#include "bases/ledger/seen.hpp"
#include "overlay/format/look.hpp"
#include "overlay/write/prune.hpp"
#include "overlay/write/raise.hpp"
#include "session/directory/review_session.hpp"
#include "store/tables/apply_bases.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/placed_copies.hpp"
#include "sys/files/dir.hpp"

#include <map>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace shadow::bases {

namespace {

constexpr const char* kParked = "parked";

// Drops copies of the project's files that were made while the session was live.
void drop_copies(int upper, int lower, const std::vector<std::string>& paths,
                 const std::map<std::string, store::PlacedCopy>& copies,
                 const overlay::StaysHidden& stays_hidden) {
  for (const std::string& path : paths) {
    const auto copy = copies.find(path);
    const Entry own = overlay::look_beneath(upper, path);
    if (copy != copies.end() && own.exists() && own.kind == copy->second.own.kind &&
        same_state(own, copy->second.own)) {
      overlay::drop(upper, lower, path, stays_hidden);
    }
  }
}

}  // namespace

bool has_parked(const session::SessionDir& session) {
  return ::faccessat(session.fd(), kParked, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

sys::Fd parking_place(const session::SessionDir& session, store::Database& db) {
  if (store::give_backs(db, session.id()).empty()) {
    sys::remove_tree(session.fd(), kParked);
  }
  (void)sys::make_dirs(session.fd(), kParked, S_IRWXU);
  return sys::open_at(session.fd(), kParked, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

void give_back_parked(const session::SessionDir& session, int lower, store::Database& db) {
  const std::vector<std::string> paths = store::give_backs(db, session.id());
  const sys::Fd parked =
      sys::try_open_at(session.fd(), kParked, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!paths.empty() && parked) {
    const sys::Fd upper = session::open_upper(session);
    drop_copies(upper.get(), lower, paths, store::placed_copies(db, session.id()),
                hidden_by_session(db, session, lower));
    overlay::Raiser raiser{{upper.get(), session.fd()}, lower};
    std::vector<std::string> placed;
    for (const std::string& path : paths) {
      if (raiser.move_in(parked.get(), path)) {
        placed.push_back(path);
      }
      SHADOW_FAIL_POINT("parked-placed");
    }
    if (::syncfs(upper.get()) != 0) {
      throw_errno("sync the session's changes");
    }
    store::Transaction transaction{db};
    note_placed(db, session.id(), upper.get(), placed);
    for (const std::string& path : placed) {
      store::delete_pending_prune(db, session.id(), path);
    }
    store::clear_give_backs(db, session.id());
    transaction.commit();
  }
  sys::remove_tree(session.fd(), kParked);
}

}  // namespace shadow::bases
