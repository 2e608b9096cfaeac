// SPDX-License-Identifier: MIT
#include "session/capture.hpp"

#include "shadow/error.hpp"

#include "overlay/look.hpp"
#include "store/blobs.hpp"
#include "sys/beneath.hpp"

#include <utility>

namespace shadow {
namespace {

// A name that was deleted, or that a file of the session now covers.
bool may_have_base(const overlay::UpperEntry& entry) {
  return entry.kind != overlay::UpperKind::MergedDir;
}

// The base of what was applied, discarded or rolled back: a file that is known by its times.
bool lacks_text(const store::BaseRow& base) {
  return base.certain && !base.stored && base.entry.kind == EntryKind::File &&
         base.entry.size <= BaseCapture::kMostBytesOfAFile;
}

}  // namespace

BaseCapture::BaseCapture(const StateDir& state, std::string session, int lower,
                         std::int64_t base_time_ns)
    : state_{state}, session_{std::move(session)}, lower_{lower}, base_time_ns_{base_time_ns} {
}

std::vector<CapturedBase> BaseCapture::take(
    store::Database& db, const std::vector<const overlay::UpperEntry*>& entries) const {
  std::vector<CapturedBase> bases;
  for (const overlay::UpperEntry* entry : entries) {
    if (!may_have_base(*entry)) {
      continue;
    }
    const auto known = store::find_base(db, session_, entry->path);
    try {
      const Entry real = overlay::look_beneath(lower_, entry->path);
      if (known && !(lacks_text(*known) && same_state(real, known->entry))) {
        continue;
      }
      store::BaseRow row = row_of(entry->path, real, known.has_value());
      if (row.entry.exists()) {
        bases.push_back({entry->path, std::move(row)});
      }
    } catch (const Error&) {
      // Unreadable, or changing as it is read: no base, and so a conflict rather than a guess, as
      // soon as its times say that it changed.
      continue;
    }
  }
  return bases;
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
