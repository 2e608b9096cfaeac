// SPDX-License-Identifier: MIT
#include "bases/ledger/seen.hpp"

#include "bases/ledger/unrecorded.hpp"
#include "bases/ledger/upper_difference.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/scan.hpp"
#include "store/tables/runs.hpp"
#include "store/tables/sessions.hpp"
#include "sys/files/beneath.hpp"
#include "sys/files/dir.hpp"

#include <set>
#include <string_view>

namespace shadow::bases {

namespace {

using Paths = std::set<std::string, std::less<>>;

bool at_or_below(std::string_view path, const Paths& paths) {
  for (; !path.empty(); path = sys::split_path(path).parent) {
    if (paths.count(path) != 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

void forget_gone(const session::ReviewSession& session, const std::vector<std::string>& paths) {
  const Paths changed{paths.begin(), paths.end()};
  Paths above;
  for (std::string_view path : paths) {
    do {
      path = sys::split_path(path).parent;
    } while (!path.empty() && above.emplace(path).second);
  }
  Replaced replaced{*session.db, session.row.id};
  for (const auto& [path, entry] : store::seen_entries(*session.db, session.row.id)) {
    if ((above.count(path) != 0 || at_or_below(path, changed)) &&
        !overlay::look_beneath(session.upper.get(), path).exists()) {
      replaced.record(path, entry);
      store::forget_seen(*session.db, session.row.id, path);
    }
  }
  if (!session.row.note.empty() && sys::is_empty_dir(session.upper.get())) {
    store::set_note(*session.db, session.row.id, "");
  }
}

void note_rewritten(const session::ReviewSession& session, const std::vector<std::string>& paths) {
  Replaced replaced{*session.db, session.row.id};
  for (const std::string& path : paths) {
    const Entry entry = overlay::look_beneath(session.upper.get(), path);
    if (entry.exists()) {
      replaced.record(path);
      store::put_seen(*session.db, session.row.id, path,
                      {static_cast<int>(overlay::UpperKind::Plain), entry.ino, entry.ctime_ns});
    }
  }
}

void note_placed(store::Database& db, const std::string& session, int upper,
                 const std::vector<std::string>& paths) {
  Paths placed;
  for (std::string_view path : paths) {
    while (!path.empty() && placed.emplace(path).second) {
      path = sys::split_path(path).parent;
    }
  }
  Replaced replaced{db, session};
  for (const std::string& path : placed) {
    overlay::UpperEntry entry;
    entry.path = path;
    entry.entry = overlay::look_beneath(upper, path);
    if (!entry.entry.exists()) {
      continue;
    }
    if (entry.entry.kind == EntryKind::Directory) {
      entry.kind = overlay::UpperKind::MergedDir;
    } else if (overlay::is_whiteout(entry.entry)) {
      entry.kind = overlay::UpperKind::Whiteout;
    }
    replaced.record(path);
    store::put_seen(db, session, path, seen_form(entry));
  }
}

void note_upper(const session::ReviewSession& session) {
  store::SeenEntries seen = store::seen_entries(*session.db, session.row.id);
  store::Transaction transaction{*session.db};
  for (const overlay::UpperEntry& entry : overlay::list_upper(session.upper.get())) {
    const store::SeenEntry now = seen_form(entry);
    const auto known = seen.find(entry.path);
    if (known == seen.end() || known->second != now) {
      store::put_seen(*session.db, session.row.id, entry.path, now);
    }
    if (known != seen.end()) {
      seen.erase(known);
    }
  }
  for (const auto& [path, entry] : seen) {
    store::forget_seen(*session.db, session.row.id, path);
  }
  transaction.commit();
}

}  // namespace shadow::bases
