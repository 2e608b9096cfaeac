// SPDX-License-Identifier: MIT
#include "promote/recover/rebase.hpp"

#include "store/tables/bases.hpp"
#include "store/tables/sessions.hpp"

#include <optional>

namespace shadow::promote {
namespace {

// The new base of a session to which the path was what the row found: its base, or a file that is
// older than the session.
std::optional<Base> base_now(store::Database& database, const store::SessionRow& session,
                             const Row& row, const Entry& now) {
  if (const auto base = store::find_base(database, session.id, row.path)) {
    const bool found = base->is_known() && same_state(base->entry(), row.before);
    return found ? std::optional{base->at(now)} : std::nullopt;
  }
  return row.before.ctime_ns > session.base_time_ns
             ? std::nullopt
             : std::optional{Base::known(now, BaseSource::Ledger)};
}

// The entry that the row found, after it was moved or had other attributes for a while.
std::optional<Entry> returned(Tree& tree, const Row& row) {
  // A directory's base is its kind and mode.
  if (!row.before.exists() || row.before.kind == EntryKind::Directory || row.before.ctime_ns == 0) {
    return std::nullopt;
  }
  Entry now = tree.look(row.path);
  const bool moved = is_before(now, row) && now.ctime_ns != row.before.ctime_ns;
  return moved ? std::optional{std::move(now)} : std::nullopt;
}

}  // namespace

void renew_bases(Tree& tree, store::Database& database, const std::string& project,
                 const EachRow& each) {
  const auto sessions = store::sessions_of_project(database, project);
  each(store::StepOrder::Forward, [&](const Row& row) {
    const auto now = returned(tree, row);
    if (!now) {
      return;
    }
    for (const store::SessionRow& session : sessions) {
      if (const auto base = base_now(database, session, row, *now)) {
        store::put_base(database, session.id, row.path, *base);
      }
    }
  });
}

}  // namespace shadow::promote
