// SPDX-License-Identifier: MIT
// The one SQLite database of a state directory. The only room that includes <sqlite3.h>; nothing
// of it shows in this header. Every process opens its own connection; WAL lets readers go on while
// one writes, and a writer that meets another waits (busy timeout) and then throws.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace shadow::store {

// The durability of a commit when it returns.
enum class Durability : std::uint8_t {
  Normal,  // survives the end of the process; the newest commits may be lost with the power
  Full     // survives the power as well: for the journal of an apply
};

class Statement;
struct DatabaseState;
struct StatementState;

class Database {
 public:
  // Opens `path`, creating it and bringing its schema up to date. Safe when many processes do so
  // at once. Throws Error when the schema is newer than this program.
  explicit Database(const std::string& path);
  Database(const Database&) = delete;
  Database(Database&&) noexcept;
  Database& operator=(const Database&) = delete;
  Database& operator=(Database&&) noexcept;
  ~Database();

  void set_durability(Durability durability);
  [[nodiscard]] Statement prepare(std::string_view sql);
  void execute(const char* sql);
  [[nodiscard]] std::int64_t last_insert_id() const;

  // Moves the write-ahead log into the database, which syncs to disk: for background work. The next
  // process to open the database reads the whole log, so that it should stay short. Waits for
  // nobody.
  void checkpoint();

 private:
  std::unique_ptr<DatabaseState> state_;
};

// A prepared statement, which must not outlive its database: bind in order, step, read columns in
// order.
//   Statement find = db.prepare("SELECT a, b FROM t WHERE c = ?");
//   find.bind(c);
//   while (find.step()) use(find.integer(0), find.text(1));
class Statement {
 public:
  Statement(const Statement&) = delete;
  Statement(Statement&&) noexcept;
  Statement& operator=(const Statement&) = delete;
  Statement& operator=(Statement&&) noexcept;
  ~Statement();

  Statement& bind(std::int64_t value);
  Statement& bind(std::string_view text);  // TEXT
  Statement& bind_blob(std::string_view bytes);
  Statement& bind_null();
  Statement& bind(const std::optional<std::int64_t>& value);

  // True while there is a row. Throws Error; "busy" (Refused) when another process writes for
  // longer than the busy timeout.
  bool step();
  // Runs a statement that returns no row, and resets it for another round of binds.
  void run();
  void reset();

  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::optional<std::int64_t> maybe_integer(int column) const;
  [[nodiscard]] std::string text(int column) const;  // TEXT or BLOB
  [[nodiscard]] bool is_null(int column) const;

 private:
  friend class Database;
  explicit Statement(std::unique_ptr<StatementState> state);
  std::unique_ptr<StatementState> state_;
};

// What `read` makes of each row that is left.
template <class Read>
[[nodiscard]] auto collect(Statement& find, const Read& read) {
  std::vector<std::invoke_result_t<Read, Statement&>> rows;
  while (find.step()) {
    rows.push_back(read(find));
  }
  return rows;
}

// The same of a statement with one column of text.
[[nodiscard]] inline std::vector<std::string> texts(Statement& find) {
  return collect(find, [](const Statement& row) { return row.text(0); });
}

// One state of the database for all reads until it ends, and one lock for them: SQLite takes and
// drops one for each read outside of a transaction, which costs more than a look-up by key. Nothing
// is written meanwhile.
class [[nodiscard]] Snapshot {
 public:
  explicit Snapshot(Database& database);
  Snapshot(const Snapshot&) = delete;
  Snapshot(Snapshot&&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
  Snapshot& operator=(Snapshot&&) = delete;
  ~Snapshot();

 private:
  Database& database_;
};

// BEGIN IMMEDIATE; rolled back unless committed.
class [[nodiscard]] Transaction {
 public:
  explicit Transaction(Database& database);
  Transaction(const Transaction&) = delete;
  Transaction(Transaction&&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace shadow::store
