// SPDX-License-Identifier: MIT
#include "bases/ledger/unchanged.hpp"

#include "shadow/error.hpp"

#include "bases/capture/alike.hpp"
#include "bases/ledger/unrecorded.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "store/tables/bases.hpp"
#include "store/tables/runs.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fcntl.h>

namespace shadow::bases {
namespace {

using overlay::UpperEntry;
using overlay::UpperKind;

bool is_file_or_symlink(const Entry& entry) {
  return entry.kind == EntryKind::File || entry.kind == EntryKind::Symlink;
}

bool may_be_copy(const UpperEntry& entry, const Entry& real) {
  return entry.kind == UpperKind::Plain && entry.entry.nlink == 1 &&
         is_file_or_symlink(entry.entry) && real.kind == entry.entry.kind &&
         real.mode == entry.entry.mode && real.size == entry.entry.size &&
         real.ctime_ns <= first_time(entry);
}

// The user has gone on, or has deleted it, while the session had it as it was. What a later run has
// made that again hid the project's before.
bool may_hide_later(const UpperEntry& entry, const Entry& real, const Base& base,
                    std::int64_t hidden_ns) {
  const Entry& before = base.entry();
  if (entry.kind == UpperKind::Whiteout) {  // of a file of its own, beside which the user made one
    return base.is_absent() && real.exists();
  }
  return entry.kind == UpperKind::Plain && entry.entry.nlink == 1 && base.is_known() &&
         is_file_or_symlink(entry.entry) && before.kind == entry.entry.kind &&
         before.mode == entry.entry.mode && before.size == entry.entry.size &&
         (!real.exists() || real.ctime_ns > std::min(hidden_ns, first_time(entry)));
}

std::optional<UpperEntry> entry_at(int upper, const std::string& path) {
  const Entry entry = overlay::look_beneath(upper, path);
  if (overlay::is_whiteout(entry)) {
    return UpperEntry{path, UpperKind::Whiteout, entry};
  }
  return is_file_or_symlink(entry) ? std::optional{UpperEntry{path, UpperKind::Plain, entry}}
                                   : std::nullopt;
}

// nullopt when the path is the session's.
std::optional<store::PlacedCopy> copy_at(const BaseCapture& capture, int upper, int lower,
                                         const std::string& path) try {
  const auto entry = entry_at(upper, path);
  const Entry real = overlay::look_beneath(lower, path);
  if (!entry || !may_be_copy(*entry, real) || !capture.tree_tells_of(path, real) ||
      !is_alike(upper, lower, *entry, real)) {
    return std::nullopt;
  }
  return store::PlacedCopy{entry->entry, real.ctime_ns};
} catch (const Error&) {
  return std::nullopt;  // unreadable, or it changes just now
}

bool hides_later(store::Database& db, const std::string& session, const UpperEntry& entry,
                 const Entry& real) {
  const auto base = store::find_base(db, session, entry.path);
  const auto hidden = store::hidden_since(db, session, entry.path);
  return base && may_hide_later(entry, real, *base, hidden ? hidden->since_ns : INT64_MAX);
}

bool still_hides_later(store::Database& db, const std::string& session, int upper, int lower,
                       const std::string& path) try {
  const auto entry = entry_at(upper, path);
  return entry && hides_later(db, session, *entry, overlay::look_beneath(lower, path));
} catch (const Error&) {
  return false;
}

// The user has deleted the project's since both sides were seen to have it, and the session has
// left its own alone.
bool has_outlived(store::Database& db, const std::string& session, int upper, int lower,
                  const std::string& path) try {
  return store::was_seen_beside(db, session, path, overlay::look_beneath(upper, path)) &&
         !overlay::look_beneath(lower, path).exists();
} catch (const Error&) {
  return false;
}

}  // namespace

bool are_noted(store::Database& db, const std::string& session,
               const std::vector<store::PossibleCopy>& copies) {
  if (copies.empty()) {
    return true;
  }
  const std::vector<store::PossibleCopy> noted = store::possible_copies(db, session);
  return std::all_of(copies.begin(), copies.end(), [&](const store::PossibleCopy& copy) {
    const auto at = std::lower_bound(
        noted.begin(), noted.end(), copy.path,
        [](const store::PossibleCopy& one, const std::string& path) { return one.path < path; });
    return at != noted.end() && at->path == copy.path && (copy.own_ino == 0 || *at == copy);
  });
}

std::vector<store::PossibleCopy> possible_copies(store::Database& db, const std::string& session,
                                                 int lower,
                                                 const std::vector<TouchedEntry>& entries,
                                                 const std::vector<CapturedBase>& bases) {
  std::map<std::string_view, const Base*> taken;
  for (const CapturedBase& captured : bases) {
    taken.emplace(captured.path, &captured.base);
  }
  std::vector<store::PossibleCopy> copies;
  for (const TouchedEntry& touched : entries) {
    const UpperEntry& entry = *touched.entry;
    try {
      const Entry real = overlay::look_beneath(lower, entry.path);
      const auto base = taken.find(entry.path);
      if (may_be_copy(entry, real)) {
        copies.push_back({entry.path, entry.entry.ino, entry.entry.ctime_ns});
      } else if (base != taken.end() ? may_hide_later(entry, real, *base->second, touched.hidden_ns)
                                     : !touched.first && hides_later(db, session, entry, real)) {
        copies.push_back({entry.path});
      }
    } catch (const Error&) {
      continue;  // unreadable: it stays the session's
    }
  }
  return copies;
}

void settle_possible_copies(const session::SessionDir& session, const BaseCapture& capture,
                            int lower, store::Database& db) {
  const std::vector<store::PossibleCopy> possible = store::possible_copies(db, session.id());
  if (possible.empty() || !store::unended_runs(db, session.id()).empty() ||
      !has_base_tree(session.fd())) {
    return;
  }
  const sys::Fd upper =
      sys::open_at(session.fd(), "project/upper", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  std::vector<std::pair<std::string, store::PlacedCopy>> copies;
  std::vector<store::PossibleCopy> hiding;
  for (const store::PossibleCopy& one : possible) {
    if (const auto copy = copy_at(capture, upper.get(), lower, one.path)) {
      copies.emplace_back(one.path, *copy);
    } else if (still_hides_later(db, session.id(), upper.get(), lower, one.path) ||
               has_outlived(db, session.id(), upper.get(), lower, one.path)) {
      hiding.push_back(one);
    }
  }
  store::Transaction transaction{db};
  for (const auto& [path, copy] : copies) {
    store::put_placed_copy(db, session.id(), path, copy);
  }
  store::clear_possible_copies(db, session.id());
  for (const store::PossibleCopy& one : hiding) {
    store::add_possible_copy(db, session.id(), one);
  }
  transaction.commit();
}

}  // namespace shadow::bases
