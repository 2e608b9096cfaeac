// SPDX-License-Identifier: MIT
#include "store/tables/applies.hpp"

#include "shadow/error.hpp"

#include "store/tables/sessions.hpp"

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace shadow::store {
namespace {

constexpr std::string_view kSelectApply =
    "SELECT id, session, project, undoes, state, started_ns, ended_ns, agent FROM applies ";

constexpr std::array kStates = {
    std::pair{ApplyState::Staging, std::string_view{"staging"}},
    std::pair{ApplyState::Swapping, std::string_view{"swapping"}},
    std::pair{ApplyState::Done, std::string_view{"done"}},
    std::pair{ApplyState::Undone, std::string_view{"undone"}},
};

std::string to_word(ApplyState state) {
  for (const auto& [known, word] : kStates) {
    if (known == state) {
      return std::string{word};
    }
  }
  throw Error{"cannot write the journal: a state without a word"};
}

ApplyState state_from(std::string_view word) {
  for (const auto& [state, known] : kStates) {
    if (known == word) {
      return state;
    }
  }
  throw Error{"cannot read the journal: the database is damaged"};
}

ApplyRow read_apply(const Statement& at) {
  return {at.integer(0),          at.text(1),    at.text(2),          at.maybe_integer(3),
          state_from(at.text(4)), at.integer(5), at.maybe_integer(6), at.text(7)};
}

std::vector<ApplyRow> select_applies(Database& db, std::string_view rest, const std::string& key) {
  Statement find = db.prepare(std::string{kSelectApply} + std::string{rest});
  find.bind_blob(key);
  return collect(find, read_apply);
}

std::string pack(const std::map<std::string, std::string>& xattrs) {
  std::string bytes;
  for (const auto& [name, value] : xattrs) {
    bytes += name;
    bytes += '\0';
    bytes += std::to_string(value.size());
    bytes += '\0';
    bytes += value;
  }
  return bytes;
}

std::map<std::string, std::string> unpack(std::string_view bytes) {
  std::map<std::string, std::string> xattrs;
  while (!bytes.empty()) {
    const std::size_t name_end = bytes.find('\0');
    const std::size_t size_end = bytes.find('\0', name_end + 1);
    if (name_end == std::string_view::npos || size_end == std::string_view::npos) {
      break;
    }
    std::size_t size = 0;
    std::from_chars(bytes.data() + name_end + 1, bytes.data() + size_end, size);
    xattrs.insert_or_assign(std::string{bytes.substr(0, name_end)},
                            std::string{bytes.substr(size_end + 1, size)});
    bytes.remove_prefix(std::min(bytes.size(), size_end + 1 + size));
  }
  return xattrs;
}

void bind_step(Statement& add, std::int64_t apply, const ApplyStepRow& step) {
  add.bind(apply)
      .bind(step.ord)
      .bind_blob(step.path)
      .bind(step.action)
      .bind_blob(step.staged)
      .bind(static_cast<std::int64_t>(step.before.kind))
      .bind(std::int64_t{step.before.mode})
      .bind(std::int64_t{step.before.uid})
      .bind(std::int64_t{step.before.gid})
      .bind(static_cast<std::int64_t>(step.before.size))
      .bind(static_cast<std::int64_t>(step.before.ino))
      .bind(step.before.mtime_ns)
      .bind(step.before.ctime_ns)
      .bind_blob(step.before.target.str())
      .bind_blob(pack(step.before_xattrs))
      .bind(static_cast<std::int64_t>(step.after.kind))
      .bind(std::int64_t{step.after.mode})
      .bind_blob(step.after.target.str());
}

ApplyStepRow read_step(const Statement& at) {
  ApplyStepRow step;
  step.ord = at.integer(0);
  step.path = at.text(1);
  step.action = at.text(2);
  step.staged = at.text(3);
  step.staged_as = {static_cast<std::uint64_t>(at.integer(4)),
                    static_cast<std::uint64_t>(at.integer(5)), at.integer(6)};
  step.before.kind = static_cast<EntryKind>(at.integer(7));
  step.before.mode = static_cast<std::uint32_t>(at.integer(8));
  step.before.uid = static_cast<std::uint32_t>(at.integer(9));
  step.before.gid = static_cast<std::uint32_t>(at.integer(10));
  step.before.size = static_cast<std::uint64_t>(at.integer(11));
  step.before.ino = static_cast<std::uint64_t>(at.integer(12));
  step.before.mtime_ns = at.integer(13);
  step.before.target = at.text(14);
  step.before_xattrs = unpack(at.text(15));
  step.before_blob = at.text(16);
  step.after.kind = static_cast<EntryKind>(at.integer(17));
  step.after.mode = static_cast<std::uint32_t>(at.integer(18));
  step.after.target = at.text(19);
  step.after_hash = at.text(20);
  step.before.ctime_ns = at.integer(21);
  return step;
}

}  // namespace

void add_apply(Database& db, ApplyRow& row) {
  db.prepare(
        "INSERT INTO applies (session, project, kind, undoes, state, started_ns, ended_ns, "
        "agent) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(row.session)
      .bind_blob(row.project)
      .bind(row.undoes ? "undo" : "apply")
      .bind(row.undoes)
      .bind(to_word(row.state))
      .bind(row.started_ns)
      .bind(row.ended_ns)
      .bind_blob(row.agent)
      .run();
  row.id = db.last_insert_id();
}

void add_steps(Database& db, std::int64_t apply, std::size_t count, const StepAt& at) {
  Statement add = db.prepare(
      "INSERT INTO apply_steps (apply, ord, path, action, staged, before_kind, before_mode, "
      "before_uid, before_gid, before_size, before_ino, before_mtime_ns, before_ctime_ns, "
      "before_target, before_xattrs, after_kind, after_mode, after_target) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t index = 0; index < count; ++index) {
    bind_step(add, apply, at(index));
    add.run();
  }
}

void update_apply(Database& db, const ApplyRow& row) {
  db.prepare("UPDATE applies SET state = ?, ended_ns = ? WHERE id = ?")
      .bind(to_word(row.state))
      .bind(row.ended_ns)
      .bind(row.id)
      .run();
}

void update_staged(Database& db, std::int64_t apply, std::size_t count, const StepAt& at) {
  Statement update = db.prepare(
      "UPDATE apply_steps SET staged_ino = ?, staged_size = ?, staged_mtime_ns = ?, "
      "after_mode = ?, after_hash = ? WHERE apply = ? AND ord = ?");
  for (std::size_t index = 0; index < count; ++index) {
    const ApplyStepRow step = at(index);
    if (step.staged_as.ino == 0) {
      continue;
    }
    update.bind(static_cast<std::int64_t>(step.staged_as.ino))
        .bind(static_cast<std::int64_t>(step.staged_as.size))
        .bind(step.staged_as.mtime_ns)
        .bind(std::int64_t{step.after.mode})
        .bind(step.after_hash)
        .bind(apply)
        .bind(step.ord)
        .run();
  }
}

void set_before_blob(Database& db, std::int64_t apply, const ApplyStepRow& step) {
  db.prepare("UPDATE apply_steps SET before_blob = ? WHERE apply = ? AND ord = ?")
      .bind(step.before_blob)
      .bind(apply)
      .bind(step.ord)
      .run();
}

void delete_apply(Database& db, std::int64_t id) {
  db.prepare("DELETE FROM applies WHERE id = ?").bind(id).run();
}

std::optional<ApplyRow> find_apply(Database& db, std::int64_t id) {
  Statement find = db.prepare(std::string{kSelectApply} + "WHERE id = ?");
  find.bind(id);
  if (!find.step()) {
    return std::nullopt;
  }
  return read_apply(find);
}

std::string agent_of_apply(Database& db, const std::string& session,
                           const std::optional<std::int64_t>& undoes) {
  if (const auto known = find_session(db, session)) {
    return known->agent;
  }
  const auto of = undoes ? find_apply(db, *undoes) : std::nullopt;
  return of ? of->agent : std::string{};
}

std::vector<ApplyRow> applies_of_project(Database& db, const std::string& project) {
  return select_applies(db, "WHERE project = ? ORDER BY id DESC", project);
}

std::vector<ApplyRow> unended_applies(Database& db, const std::string& project) {
  return select_applies(db, "WHERE project = ? AND ended_ns IS NULL ORDER BY id", project);
}

void each_step(Database& db, std::int64_t apply, StepOrder order,
               const std::function<void(ApplyStepRow& step)>& look) {
  Statement find = db.prepare(
      std::string{
          "SELECT ord, path, action, staged, staged_ino, staged_size, staged_mtime_ns, "
          "before_kind, "
          "before_mode, before_uid, before_gid, before_size, before_ino, before_mtime_ns, "
          "before_target, before_xattrs, before_blob, after_kind, after_mode, after_target, "
          "after_hash, "
          "before_ctime_ns FROM apply_steps WHERE apply = ? ORDER BY ord"} +
      (order == StepOrder::Backward ? " DESC" : ""));
  find.bind(apply);
  while (find.step()) {
    ApplyStepRow step = read_step(find);
    look(step);
  }
}

std::size_t count_steps(Database& db, std::int64_t apply) {
  Statement count = db.prepare("SELECT count(*) FROM apply_steps WHERE apply = ?");
  count.bind(apply);
  return count.step() ? static_cast<std::size_t>(count.integer(0)) : 0;
}

std::int64_t count_paths(Database& db, std::int64_t apply) {
  Statement count = db.prepare(
      "SELECT count(DISTINCT path) FROM apply_steps WHERE apply = ? AND action <> 'relax'");
  count.bind(apply);
  return count.step() ? count.integer(0) : 0;
}

std::int64_t delete_applies_before(Database& db, std::int64_t time_ns) {
  Statement remove = db.prepare("DELETE FROM applies WHERE ended_ns < ? RETURNING 1");
  remove.bind(time_ns);
  std::int64_t count = 0;
  while (remove.step()) {
    ++count;
  }
  return count;
}

std::set<std::string> referenced_blobs(Database& db) {
  Statement find = db.prepare(
      "SELECT hash FROM bases WHERE stored = 1 UNION "
      "SELECT hash FROM pending_bases WHERE stored = 1 UNION "
      "SELECT hash FROM made_from WHERE stored = 1 UNION "
      "SELECT hash FROM apply_bases WHERE stored = 1 UNION "
      "SELECT before_blob FROM apply_steps WHERE before_blob <> ''");
  std::set<std::string> names;
  while (find.step()) {
    names.insert(find.text(0));
  }
  return names;
}

void add_apply_ref(Database& db, std::int64_t apply, const ApplyRefRow& row) {
  db.prepare("INSERT OR REPLACE INTO apply_refs (apply, name, from_id, to_id) VALUES (?, ?, ?, ?)")
      .bind(apply)
      .bind_blob(row.name)
      .bind(row.from)
      .bind(row.to)
      .run();
}

void delete_apply_ref(Database& db, std::int64_t apply, const std::string& name) {
  db.prepare("DELETE FROM apply_refs WHERE apply = ? AND name = ?")
      .bind(apply)
      .bind_blob(name)
      .run();
}

std::vector<ApplyRefRow> refs_of_apply(Database& db, std::int64_t apply) {
  Statement find =
      db.prepare("SELECT name, from_id, to_id FROM apply_refs WHERE apply = ? ORDER BY name");
  find.bind(apply);
  return collect(find, [](const Statement& row) {
    return ApplyRefRow{row.text(0), row.text(1), row.text(2)};
  });
}

}  // namespace shadow::store
