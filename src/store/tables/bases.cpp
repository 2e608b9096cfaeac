// SPDX-License-Identifier: MIT
#include "store/tables/bases.hpp"

#include "store/tables/base_columns.hpp"

namespace shadow::store {

namespace {

const char* to_word(BaseSource source) {
  switch (source) {
    case BaseSource::Tree:
      return "tree";
    case BaseSource::Ledger:
      return "ledger";
    case BaseSource::Apply:
      break;
  }
  return "apply";
}

BaseSource source_of(const std::string& word) {
  return word == "tree"     ? BaseSource::Tree
         : word == "ledger" ? BaseSource::Ledger
                            : BaseSource::Apply;
}

// An unsettled base keeps the word from before the base tree is consulted.
std::string word_of(const Base& base) {
  const auto source = base.source();
  return source ? to_word(*source) : base.is_lost() ? "unknown" : "ledger";
}

}  // namespace

Base read_base(const Statement& at, int first, const std::string& object) {
  Entry entry;
  entry.kind = static_cast<EntryKind>(at.integer(first + 2));
  entry.mode = static_cast<std::uint32_t>(at.integer(first + 3));
  entry.size = static_cast<std::uint64_t>(at.integer(first + 4));
  entry.ino = static_cast<std::uint64_t>(at.integer(first + 5));
  entry.mtime_ns = at.integer(first + 6);
  entry.ctime_ns = at.integer(first + 7);
  entry.target = at.text(first + 8);
  const std::string source = at.text(first);
  const bool certain = at.integer(first + 1) != 0;
  if (!certain) {
    return source == "ledger" ? Base::unsettled(std::move(entry)) : Base::unknown(std::move(entry));
  }
  const bool stored = at.integer(first + 10) != 0;
  const std::string hash = at.text(first + 9);
  BaseContent content = stored         ? BaseContent::stored(hash)
                        : hash.empty() ? BaseContent::object(object)
                                       : BaseContent::hashed(hash);
  return Base::known(std::move(entry), source_of(source), std::move(content));
}

Statement& bind_base(Statement& statement, const Base& base) {
  const Entry& entry = base.entry();
  return statement.bind(word_of(base))
      .bind(std::int64_t{base.is_known()})
      .bind(static_cast<std::int64_t>(entry.kind))
      .bind(std::int64_t{entry.mode})
      .bind(static_cast<std::int64_t>(entry.size))
      .bind(static_cast<std::int64_t>(entry.ino))
      .bind(entry.mtime_ns)
      .bind(entry.ctime_ns)
      .bind_blob(entry.target.str())
      .bind(base.content().hash())
      .bind(std::int64_t{base.content().is_stored()});
}

namespace {

void delete_rows(Database& db, const char* table, const std::string& session,
                 const std::string& path) {
  db.prepare(std::string{"DELETE FROM "} + table + " WHERE session = ? AND path = ?")
      .bind(session)
      .bind_blob(path)
      .run();
}

std::map<std::string, Base> rows_of(Database& db, const std::string& session,
                                    const std::string& index = "",
                                    const std::string& condition = "") {
  Statement find = db.prepare(std::string{"SELECT path, "} + kBaseColumns + ", git_id FROM bases " +
                              index + " WHERE session = ? " + condition);
  find.bind(session);
  std::map<std::string, Base> bases;
  while (find.step()) {
    bases.insert_or_assign(find.text(0), read_base(find, 1, find.text(12)));
  }
  return bases;
}

// The conditions below are those of the schema's partial indexes word for word, or SQLite refuses.
static_assert(static_cast<int>(EntryKind::File) == 1);

}  // namespace

std::optional<Base> find_base(Database& db, const std::string& session, const std::string& path) {
  Statement find = db.prepare(std::string{"SELECT "} + kBaseColumns +
                              ", git_id FROM bases WHERE session = ? AND path = ?");
  find.bind(session).bind_blob(path);
  if (!find.step()) {
    return std::nullopt;
  }
  return read_base(find, 0, find.text(11));
}

std::map<std::string, Base> all_bases(Database& db, const std::string& session) {
  return rows_of(db, session);
}

std::map<std::string, Base> unsure_bases(Database& db, const std::string& session) {
  return rows_of(db, session, "INDEXED BY bases_unsure",
                 "AND (certain = 0 OR (hash = '' AND kind = 1))");
}

std::map<std::string, Base> bases_without_text(Database& db, const std::string& session) {
  return rows_of(db, session, "INDEXED BY bases_without_text",
                 "AND stored = 0 AND git_id = '' AND kind = 1");
}

void put_base(Database& db, const std::string& session, const std::string& path, const Base& base) {
  Statement put =
      db.prepare(std::string{"INSERT OR REPLACE INTO bases (session, path, "} + kBaseColumns +
                 ", git_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  put.bind(session).bind_blob(path);
  bind_base(put, base).bind(base.content().object_id());
  put.run();
  if (base.source() == BaseSource::Apply) {
    delete_rows(db, "shown_versions", session, path);
    delete_rows(db, "shown_copies", session, path);
  }
}

void delete_base(Database& db, const std::string& session, const std::string& path) {
  delete_rows(db, "bases", session, path);
  delete_rows(db, "shown_copies", session, path);
}

std::vector<std::string> pending_prunes(Database& db, const std::string& session) {
  Statement find = db.prepare("SELECT path FROM pending_prunes WHERE session = ? ORDER BY path");
  find.bind(session);
  return texts(find);
}

void add_pending_prune(Database& db, const std::string& session, const std::string& path) {
  db.prepare("INSERT OR REPLACE INTO pending_prunes (session, path) VALUES (?, ?)")
      .bind(session)
      .bind_blob(path)
      .run();
}

void delete_pending_prune(Database& db, const std::string& session, const std::string& path) {
  db.prepare("DELETE FROM pending_prunes WHERE session = ? AND path = ?")
      .bind(session)
      .bind_blob(path)
      .run();
}

void delete_prunes_below(Database& db, const std::string& session, const std::string& path) {
  db.prepare("DELETE FROM pending_prunes WHERE session = ? AND path > ? AND path < ?")
      .bind(session)
      .bind_blob(path + '/')
      .bind_blob(path + '0')  // the byte behind the slash
      .run();
}

void clear_pending_prunes(Database& db, const std::string& session) {
  db.prepare("DELETE FROM pending_prunes WHERE session = ?").bind(session).run();
}

}  // namespace shadow::store
