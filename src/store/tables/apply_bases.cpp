// SPDX-License-Identifier: MIT
#include "store/tables/apply_bases.hpp"

#include "store/tables/applies.hpp"
#include "store/tables/base_columns.hpp"

namespace shadow::store {
namespace {

std::string to_word(BaseRole role) {
  return role == BaseRole::Found ? "found" : "session";
}

}  // namespace

void add_apply_base(Database& db, std::int64_t apply, const std::string& path, BaseRole role,
                    const Base& base) {
  Statement add =
      db.prepare(std::string{"INSERT OR REPLACE INTO apply_bases (apply, path, role, "} +
                 kBaseColumns + ", git_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  add.bind(apply).bind_blob(path).bind(to_word(role));
  bind_base(add, base).bind(base.content().object_id());
  add.run();
}

std::optional<Base> find_apply_base(Database& db, std::int64_t apply, const std::string& path,
                                    BaseRole role) {
  Statement find =
      db.prepare(std::string{"SELECT "} + kBaseColumns +
                 ", git_id FROM apply_bases WHERE apply = ? AND path = ? AND role = ?");
  find.bind(apply).bind_blob(path).bind(to_word(role));
  return find.step() ? std::optional{read_base(find, 0, find.text(11))} : std::nullopt;
}

std::optional<Base> find_apply_base_behind(Database& db, std::int64_t apply,
                                           const std::string& path, BaseRole role) {
  for (std::optional<std::int64_t> next = apply; next;) {
    if (auto base = find_apply_base(db, *next, path, role)) {
      return base;
    }
    const auto taken_back = find_apply(db, *next);
    next = taken_back ? taken_back->undoes : std::nullopt;
  }
  return std::nullopt;
}

bool has_apply_bases(Database& db, std::int64_t apply) {
  Statement find = db.prepare("SELECT 1 FROM apply_bases WHERE apply = ? LIMIT 1");
  find.bind(apply);
  return find.step();
}

void add_give_back(Database& db, const std::string& session, const std::string& path) {
  db.prepare("INSERT OR IGNORE INTO give_backs (session, path) VALUES (?, ?)")
      .bind(session)
      .bind_blob(path)
      .run();
}

std::vector<std::string> give_backs(Database& db, const std::string& session) {
  Statement find = db.prepare("SELECT path FROM give_backs WHERE session = ? ORDER BY path");
  find.bind(session);
  return texts(find);
}

void clear_give_backs(Database& db, const std::string& session) {
  db.prepare("DELETE FROM give_backs WHERE session = ?").bind(session).run();
}

}  // namespace shadow::store
