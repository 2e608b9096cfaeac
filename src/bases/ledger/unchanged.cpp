// SPDX-License-Identifier: MIT
#include "bases/ledger/unchanged.hpp"

#include "shadow/error.hpp"

#include "bases/ledger/unrecorded.hpp"
#include "overlay/format/look.hpp"
#include "overlay/read/compare.hpp"
#include "sys/files/beneath.hpp"

#include <string>

namespace shadow::bases {
namespace {

using overlay::UpperEntry;
using overlay::UpperKind;

bool may_be_copy(const UpperEntry& entry, const Entry& real) {
  return entry.kind == UpperKind::Plain && entry.entry.nlink == 1 &&
         (entry.entry.kind == EntryKind::File || entry.entry.kind == EntryKind::Symlink) &&
         real.kind == entry.entry.kind && real.mode == entry.entry.mode &&
         real.size == entry.entry.size && real.ctime_ns <= first_time(entry);
}

bool is_alike(int upper, int lower, const UpperEntry& entry, const Entry& real) {
  const sys::SplitPath parts = sys::split_path(entry.path);
  const sys::Fd above = sys::try_open_beneath(upper, parts.parent, sys::kDirPath);
  const sys::Fd below = sys::try_open_beneath(lower, parts.parent, sys::kDirPath);
  return above && below &&
         !overlay::compare(
              {above.get(), below.get(), std::string{parts.name}, entry.path, entry.entry, real})
              .any();
}

}  // namespace

std::vector<UnchangedCopy> unchanged_copies(const BaseCapture& capture, int upper, int lower,
                                            const std::vector<TouchedEntry>& entries) {
  std::vector<UnchangedCopy> copies;
  for (const TouchedEntry& touched : entries) {
    const UpperEntry& entry = *touched.entry;
    try {
      const Entry real = overlay::look_beneath(lower, entry.path);
      if (may_be_copy(entry, real) && capture.tree_tells_of(entry.path, real) &&
          is_alike(upper, lower, entry, real)) {
        copies.push_back({entry.path, {entry.entry, real.ctime_ns}});
      }
    } catch (const Error&) {
      continue;  // unreadable, or it changes just now: it stays the session's
    }
  }
  return copies;
}

}  // namespace shadow::bases
