// SPDX-License-Identifier: MIT
#include "bases/ledger/settle_refresh.hpp"

#include "base/fail_point.hpp"
#include "base/hash.hpp"
#include "bases/ledger/seen.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "store/contents/blobs.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/pending_bases.hpp"
#include "store/tables/tallies.hpp"
#include "sys/files/beneath.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>

namespace shadow::bases {

namespace {

// What the session has in the place of a directory above hides the project's as well: where it was
// not given up, neither was what lies below.
bool is_hidden_from_above(int upper, std::string_view path) {
  for (path = sys::split_path(path).parent; !path.empty(); path = sys::split_path(path).parent) {
    const Entry above = overlay::look_beneath(upper, path);
    if (above.exists() &&
        (above.kind != EntryKind::Directory || overlay::is_opaque_directory(upper, path))) {
      return true;
    }
  }
  return false;
}

bool has_awaited(int upper, const store::PendingBase& awaited) {
  const Entry entry = overlay::look_beneath(upper, awaited.upper_path);
  if (awaited.upper_hash.empty() || entry.kind != EntryKind::File) {
    return awaited.upper_hash.empty() && !entry.exists() &&
           (awaited.base.is_absent() || !is_hidden_from_above(upper, awaited.upper_path));
  }
  const sys::Fd file = sys::try_open_beneath(upper, awaited.upper_path, O_RDONLY | O_NONBLOCK);
  return file && to_hex(store::hash_file(file.get())) == awaited.upper_hash;
}

}  // namespace

void settle_refresh(const session::ReviewSession& session) {
  const auto pending = store::pending_bases(*session.db, session.row.id);
  if (pending.empty()) {
    return;
  }
  // The upper, which lies on the same filesystem, is on disk before the bases count.
  store::Blobs{session.state.path()}.sync();
  SHADOW_FAIL_POINT("refresh-synced");
  std::vector<std::string> rewritten;
  std::vector<std::string> gone;
  store::Transaction transaction{*session.db};
  for (const store::PendingBase& awaited : pending) {
    if (has_awaited(session.upper.get(), awaited)) {
      store::put_base(*session.db, session.row.id, awaited.path, awaited.base);
      (awaited.upper_hash.empty() ? gone : rewritten).push_back(awaited.upper_path);
    }
  }
  store::clear_pending_bases(*session.db, session.row.id);
  forget_gone(session, gone);
  note_rewritten(session, rewritten);
  store::outdate_tally(*session.db, session.row.id, store::Touched::Anything);
  transaction.commit();
  SHADOW_FAIL_POINT("refresh-settled");
}

void settle_old_refresh(const session::ReviewSession& session) {
  if (store::pending_bases(*session.db, session.row.id).empty()) {
    return;
  }
  // One that goes on just now has the lock.
  const auto lock = session.dir.lock_within(std::chrono::milliseconds{200});
  if (lock && session.dir.current()) {
    settle_refresh(session);
  }
}

}  // namespace shadow::bases
