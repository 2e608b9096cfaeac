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
  return collect(find, [](const Statement& row) {
    return PendingBase{row.text(0), row.text(1), row.text(2), read_base(row, 3, {})};
  });
}

void clear_pending_bases(Database& db, const std::string& session) {
  db.prepare("DELETE FROM pending_bases WHERE session = ?").bind(session).run();
}

}  // namespace shadow::store
