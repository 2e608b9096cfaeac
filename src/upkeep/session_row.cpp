// SPDX-License-Identifier: MIT
#include "upkeep/session_row.hpp"

#include "sys/files/clock.hpp"
#include "sys/files/identity.hpp"

namespace shadow::upkeep {

void ensure_session_row(store::Database& db, const session::SessionDir& session,
                        const SessionKey& key, const session::SessionFacts& facts) {
  store::SessionRow row;
  row.id = session.id();
  row.project = key.project;
  row.agent = key.agent;
  row.root_identity = sys::to_text(facts.identity);
  row.created_ns = sys::now_ns();
  row.used_ns = row.created_ns;
  row.base_time_ns = facts.base_time_ns;
  store::add_session(db, row);
}

std::optional<store::SessionRow> find_session_or_its_files(const StateDir& state,
                                                           store::Database& db,
                                                           const SessionKey& key) {
  const std::string id = session_id(key);
  auto row = store::find_session(db, id);
  const auto dir = row ? std::nullopt : session::SessionDir::find(state, id);
  if (const auto facts = dir ? dir->read_facts() : std::nullopt) {
    ensure_session_row(db, *dir, key, *facts);
    row = store::find_session(db, id);
  }
  return row;
}

}  // namespace shadow::upkeep
