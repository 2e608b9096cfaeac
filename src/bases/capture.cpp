// SPDX-License-Identifier: MIT
#include "bases/capture.hpp"

#include "shadow/error.hpp"

#include "overlay/look.hpp"
#include "store/blobs.hpp"
#include "sys/beneath.hpp"

#include <set>
#include <utility>

namespace shadow {
namespace {

// A directory that the session has only as it was copied up has the mode that the real one had. Of
// two different ones it is not known who changed it, unless the real one is as old as the session:
// its times move with every name in it.
std::optional<store::BaseRow> base_of_merged(const Entry& upper, const Entry& real,
                                             std::int64_t base_time_ns) {
  if (real.kind != EntryKind::Directory ||
      (real.mode != upper.mode && real.ctime_ns > base_time_ns)) {
    return std::nullopt;
  }
  store::BaseRow row;
  row.source = "ledger";
  row.certain = true;
  row.entry = real;
  return row;
}

// The base of what was applied, discarded or rolled back: a file that is known by its times.
bool lacks_text(const store::BaseRow& base) {
  return base.certain && !base.stored && base.entry.kind == EntryKind::File &&
         base.entry.size <= BaseCapture::kMostBytesOfAFile;
}

}  // namespace

BaseCapture::BaseCapture(const StateDir& state, const SessionDir& session, int lower,
                         std::int64_t base_time_ns)
    : state_{state},
      session_{session.id()},
      session_dir_{session.fd()},
      lower_{lower},
      base_time_ns_{base_time_ns} {
}

std::vector<CapturedBase> BaseCapture::take(store::Database& db,
                                            const std::vector<TouchedEntry>& entries) const {
  const std::vector<std::string> list = store::pending_prunes(db, session_);
  const std::set<std::string> pending{list.begin(), list.end()};
  std::vector<CapturedBase> bases;
  for (const TouchedEntry& touched : entries) {
    const std::string& path = touched.entry->path;
    const bool merged = touched.entry->kind == overlay::UpperKind::MergedDir;
    const auto known = store::find_base(db, session_, path);
    try {
      const Entry real = overlay::look_beneath(lower_, path);
      // What is known to be unknown stays so: a refresh has renewed the time that would make it
      // certain.
      const bool lost = known && known->source == kUnknownBase;
      auto row = lost || (merged && known) ? std::nullopt
                 : merged ? base_of_merged(touched.entry->entry, real, base_time_ns_)
                 : !known || !known->certain ? first_base(path, real)
                 : pending.count(path) != 0  ? std::nullopt
                                             : renewed(*known, path, real, touched.first);
      if (row) {
        bases.push_back({path, *std::move(row)});
      }
    } catch (const Error&) {
      // Unreadable, or changing as it is read: no base, and so a conflict rather than a guess, as
      // soon as its times say that it changed.
      continue;
    }
  }
  return bases;
}

std::vector<CapturedBase> BaseCapture::mend(store::Database& db) const {
  std::vector<CapturedBase> bases;
  for (auto& [path, row] : store::unsure_bases(db, session_)) {
    if (row.source == kUnknownBase || !row.git_id.empty() || row.entry.size > kMostBytesOfAFile) {
      continue;
    }
    if (!row.certain) {
      if (tree() != nullptr) {
        bases.push_back({path, instead_of(path, std::move(row))});
      }
      continue;
    }
    const TreeEntry* known = row.entry.ctime_ns <= base_time_ns_ ? known_of(path) : nullptr;
    if (known != nullptr && !(known->blob.empty() && known->git_id.empty()) &&
        !contradicts(*known, row.entry)) {
      row.hash = known->blob;
      row.stored = !known->blob.empty();
      row.git_id = known->git_id;
      bases.push_back({path, std::move(row)});
    }
  }
  return bases;
}

const BaseTree* BaseCapture::tree() const {
  if (!tree_) {
    tree_ = read_base_tree(session_dir_);
  }
  return tree_ ? &*tree_ : nullptr;
}

const TreeEntry* BaseCapture::known_of(const std::string& path) const {
  return tree() == nullptr ? nullptr : tree()->find(path);
}

// What the tree has instead of a base that is not certain.
store::BaseRow BaseCapture::instead_of(const std::string& path, store::BaseRow row) const {
  if (const TreeEntry* known = known_of(path)) {
    return base_row_of(*known);
  }
  if (tree() == nullptr) {
    return row;
  }
  if (row.entry.kind != EntryKind::Directory && tree()->tells_of(path) == Told::Absent) {
    return base_of_absent();
  }
  row.source = kUnknownBase;
  return row;
}

// What the path was when the session could first have read it.
std::optional<store::BaseRow> BaseCapture::first_base(const std::string& path,
                                                      const Entry& real) const {
  const TreeEntry* known = known_of(path);
  if (known != nullptr && (real.ctime_ns > base_time_ns_ || contradicts(*known, real))) {
    return base_row_of(*known);
  }
  if (!real.exists()) {
    return std::nullopt;  // see Existence
  }
  if (real.kind != EntryKind::Directory && real.ctime_ns > base_time_ns_ && tree() != nullptr &&
      tree()->tells_of(path) == Told::Absent) {
    return base_of_absent();
  }
  store::BaseRow row = row_of(path, real, false);
  return row.certain ? std::move(row) : instead_of(path, std::move(row));
}

// By its source a base tells whether the session's entry is known to have been there while the real
// file still was the base ("ledger"). Then an entry that equals the base is redundant. Of one that
// was made later it is not known: it may have been made to undo what the project had by then.
std::optional<store::BaseRow> BaseCapture::renewed(const store::BaseRow& known,
                                                   const std::string& path, const Entry& real,
                                                   bool first) const {
  const bool is_base = same_state(real, known.entry);
  if (is_base && lacks_text(known)) {
    return row_of(path, real, true);
  }
  store::BaseRow row = known;
  row.source = is_base ? "ledger" : first && known.source == "ledger" ? "tree" : known.source;
  return row.source == known.source ? std::nullopt : std::optional{std::move(row)};
}

store::BaseRow BaseCapture::row_of(const std::string& path, const Entry& real, bool is_base) const {
  store::BaseRow row;
  row.source = "ledger";
  row.entry = real;
  row.certain = is_base || (real.exists() && real.ctime_ns <= base_time_ns_);
  if (!row.certain || real.kind != EntryKind::File || real.size > kMostBytesToHash) {
    return row;
  }
  const sys::Fd file = sys::open_beneath(lower_, path, O_RDONLY | O_NONBLOCK);
  if (real.size <= kMostBytesOfAFile) {
    store::Blobs blobs{state_.path()};
    const std::string name = blobs.put(file.get());
    // A name with a suffix means another content of the same hash: then there is no base text.
    row.stored = hash_from_hex(name).has_value();
    row.hash = row.stored ? name : std::string{};
  } else {
    row.hash = to_hex(store::hash_file(file.get()));
  }
  // Read whole and unchanged, or not at all.
  if (!same_state(real, overlay::look_fd(file.get()))) {
    throw StaleError{"a file changed while it was read"};
  }
  return row;
}

}  // namespace shadow
