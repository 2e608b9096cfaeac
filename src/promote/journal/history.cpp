// SPDX-License-Identifier: MIT
#include "promote/journal/history.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "promote/journal/journal.hpp"
#include "promote/journal/lifecycle.hpp"
#include "store/tables/applies.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace shadow {
namespace promote {

std::set<std::string> left_by_undos(const ApplySite& site, std::int64_t apply) {
  std::set<std::string> paths;
  store::each_step(site.database, apply, store::StepOrder::Forward, [&](Row& row) {
    if (operation_of(row) != Operation::Relax) {
      paths.insert(std::move(row.path));
    }
  });
  for (const store::ApplyRow& other : store::applies_of_project(site.database, site.project)) {
    if (other.undoes == apply && other.state == store::ApplyState::Done) {
      store::each_step(site.database, other.id, store::StepOrder::Forward,
                       [&paths](const Row& row) { paths.erase(row.path); });
    }
  }
  return paths;
}

}  // namespace promote

namespace {

using Applies = std::vector<store::ApplyRow>;

ApplyRecord record_of(const ApplySite& site, const store::ApplyRow& row) {
  ApplyRecord record;
  record.id = row.id;
  record.session = row.session;
  record.agent = row.agent;
  record.is_undo = row.undoes.has_value();
  record.undoes = row.undoes;
  record.undone = row.state == store::ApplyState::Undone;
  record.started_ns = row.started_ns;
  record.ended_ns = row.ended_ns.value_or(0);
  record.paths = store::count_paths(site.database, row.id);
  for (store::ApplyRefRow& ref : store::refs_of_apply(site.database, row.id)) {
    record.refs.push_back(std::move(ref.name));
  }
  for (auto next = row.undoes; next;) {
    record.takes_out = !record.takes_out;
    const auto taken_back = store::find_apply(site.database, *next);
    next = taken_back ? taken_back->undoes : std::nullopt;
  }
  return record;
}

[[noreturn]] void throw_taken_back(const store::ApplyRow& row, const Applies& rows) {
  const auto by = std::find_if(rows.begin(), rows.end(), [&row](const store::ApplyRow& other) {
    return other.undoes == row.id && other.state == store::ApplyState::Done;
  });
  throw Error{
      (row.undoes ? "undo " : "apply ") + std::to_string(row.id) + " was taken back already",
      by == rows.end() ? "" : "'shadow undo " + std::to_string(by->id) + "' does it again",
      ExitCode::No};
}

const store::ApplyRow& find_by_id(const ApplySite& site, const Applies& rows, std::int64_t id,
                                  const std::optional<std::string>& session) {
  const auto found = std::find_if(rows.begin(), rows.end(), [id](const store::ApplyRow& row) {
    return row.id == id && promote::is_written(row.state);
  });
  if (found == rows.end()) {
    throw Error{"cannot undo " + std::to_string(id) + ": this project has no such apply",
                "shadow undo --list shows them", ExitCode::No};
  }
  if (session && found->session != *session) {
    throw Error{
        "cannot undo " + std::to_string(id) + ": it is of the session of " + quoted(found->agent),
        "say so: --as " + shell_quoted(found->agent), ExitCode::No};
  }
  if (found->state == store::ApplyState::Undone &&
      promote::left_by_undos(site, found->id).empty()) {
    throw_taken_back(*found, rows);
  }
  return *found;
}

// The newest apply of each session that is not undone, newest first.
Applies last_of_sessions(const Applies& rows, const std::optional<std::string>& session) {
  Applies last;
  std::set<std::string> seen;
  for (const store::ApplyRow& row : rows) {
    const bool meant = !session || row.session == *session;
    if (meant && !row.undoes && row.state == store::ApplyState::Done &&
        seen.insert(row.session).second) {
      last.push_back(row);
    }
  }
  return last;
}

[[noreturn]] void throw_several(const ApplySite& site, const Applies& last) {
  std::vector<std::string> each;
  each.reserve(last.size());
  for (const store::ApplyRow& row : last) {
    each.push_back(std::to_string(row.id) + " of " + quoted(row.agent));
  }
  throw Error{"cannot tell which apply in " + quoted(site.project) + " is meant: the last are " +
                  join(each, ", "),
              "name one: --as " + shell_quoted(last.front().agent) + ", or 'shadow undo " +
                  std::to_string(last.front().id) + "'"};
}

}  // namespace

std::vector<ApplyRecord> list_applies(const ApplySite& site) {
  std::vector<ApplyRecord> records;
  for (const store::ApplyRow& row : store::applies_of_project(site.database, site.project)) {
    if (promote::is_written(row.state)) {
      records.push_back(record_of(site, row));
      ApplyRecord& record = records.back();
      record.partly = record.undone && !promote::left_by_undos(site, record.id).empty();
    }
  }
  return records;
}

ApplyRecord choose_undo(const ApplySite& site, std::optional<std::int64_t> id,
                        const std::optional<std::string>& session) {
  const Applies rows = store::applies_of_project(site.database, site.project);
  if (id) {
    return record_of(site, find_by_id(site, rows, *id, session));
  }
  const Applies last = last_of_sessions(rows, session);
  if (last.empty()) {
    throw Error{
        "nothing to undo in " + quoted(site.project),
        rows.empty() ? "" : "'shadow undo --list' lists what can be taken back by its number",
        ExitCode::No};
  }
  if (last.size() > 1) {
    throw_several(site, last);
  }
  return record_of(site, last.front());
}

}  // namespace shadow
