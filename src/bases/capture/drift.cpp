// SPDX-License-Identifier: MIT
#include "bases/capture/drift.hpp"

#include "base/hash.hpp"
#include "store/contents/blobs.hpp"

namespace shadow::bases {

namespace {

Drift with_base(const Entry& real, const Base& base) {
  if (!base.entry().exists()) {
    return real.exists() ? Drift::Appeared : Drift::None;
  }
  if (!real.exists()) {
    return Drift::Vanished;
  }
  if (real.kind == EntryKind::Directory && base.entry().kind == EntryKind::Directory) {
    return real.mode == base.entry().mode ? Drift::None : Drift::Changed;
  }
  return base.is_known() && same_state(real, base.entry()) ? Drift::None : Drift::Changed;
}

}  // namespace

Drift drift_of(const DriftFacts& facts) {
  if (facts.base != nullptr) {
    return with_base(facts.real, *facts.base);
  }
  if (!facts.real.exists()) {
    // A directory of the lower cannot be moved: one that was copied up was there.
    const bool gone = facts.directory ? facts.copied_up : facts.was_there;
    return gone ? Drift::Vanished : Drift::None;
  }
  if (facts.real.kind == EntryKind::Directory || facts.real.ctime_ns <= facts.base_time_ns) {
    return Drift::None;
  }
  return facts.copied_up ? Drift::Changed : Drift::Appeared;
}

bool equals_base_content(const Entry& entry, int file, const Base& base) {
  if (!base.is_known() || entry.kind != base.entry().kind) {
    return false;
  }
  switch (entry.kind) {
    case EntryKind::Symlink:
      return entry.target == base.entry().target;
    case EntryKind::File:
      return entry.size == base.entry().size && file >= 0 && !base.content().hash().empty() &&
             to_hex(store::hash_file(file)) == base.content().hash();
    case EntryKind::Device:
      return false;  // which one it was is not kept
    default:
      return true;
  }
}

bool equals_base(const Entry& entry, int file, const Base& base) {
  const bool has_mode = entry.kind != EntryKind::Absent && entry.kind != EntryKind::Symlink;
  return (!has_mode || entry.mode == base.entry().mode) && equals_base_content(entry, file, base);
}

}  // namespace shadow::bases
