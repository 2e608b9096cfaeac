// SPDX-License-Identifier: MIT
#include "store/tables/pending_bases.hpp"

#include "store/tables/base_columns.hpp"

namespace shadow::store {

void add_pending_base(Database& db, const std::string& session, const PendingBase& pending) {
  Statement add = db.prepare(
      std::string{"INSERT OR REPLACE INTO pending_bases (session, path, upper_path, upper_hash, "} +
      kBaseColumns + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  add.bind(session).bind_blob(pending.path).bind_blob(pending.upper_path).bind(pending.upper_hash);
  bind_base(add, pending.base);
  add.run();
}

std::vector<PendingBase> pending_bases(Database& db, const std::string& session) {
  Statement find = db.prepare(std::string{"SELECT path, upper_path, upper_hash, "} + kBaseColumns +
                              " FROM pending_bases WHERE session = ? ORDER BY path");
  find.bind(session);
  std::vector<PendingBase> bases;
  while (find.step()) {
    bases.push_back({find.text(0), find.text(1), find.text(2), read_base(find, 3, {})});
  }
  return bases;
}

void clear_pending_bases(Database& db, const std::string& session) {
  db.prepare("DELETE FROM pending_bases WHERE session = ?").bind(session).run();
}

}  // namespace shadow::store
