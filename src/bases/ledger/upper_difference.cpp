// SPDX-License-Identifier: MIT
#include "bases/ledger/upper_difference.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "bases/ledger/unrecorded.hpp"
#include "overlay/format/format.hpp"
#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <utility>

#include <fcntl.h>

namespace shadow::bases {
namespace {

using overlay::UpperEntry;
using overlay::UpperKind;

Difference compare(int upper, store::SeenEntries seen) {
  Difference difference;
  difference.had_changes = std::any_of(seen.begin(), seen.end(), [](const auto& known) {
    return known.second.kind != static_cast<int>(UpperKind::MergedDir);
  });
  std::string hider;
  std::int64_t hider_since_ns = 0;
  overlay::walk_upper(upper, [&](UpperEntry entry) {
    const auto known = seen.find(entry.path);
    const bool first = known == seen.end();
    if (!hider.empty() && !is_at_or_below(entry.path, hider)) {
      hider.clear();
    }
    if (hider.empty() && entry.kind == UpperKind::OpaqueDir) {
      hider = entry.path;
      hider_since_ns = entry.entry.btime_ns;
    }
    if (!hider.empty() && entry.entry.kind == EntryKind::Directory && hider_since_ns != 0) {
      difference.hiding.push_back({entry.path, hider_since_ns});
    }
    if (first || known->second != seen_form(entry)) {
      const bool hides_now =
          !first && hid_nothing(known->second) && entry.kind != UpperKind::MergedDir;
      const bool is_new = first || is_unrecorded_and_new(known->second);
      const bool noted = !first && !hides_now && is_unrecorded(known->second);
      if (entry.kind == UpperKind::Whiteout) {
        difference.hiding.push_back({entry.path, hides_since(upper, entry)});
      }
      std::string above = hider == entry.path ? std::string{} : hider;
      difference.fresh.push_back(
          {std::move(entry), std::move(above), first, is_new, noted, hides_now});
    }
    if (!first) {
      seen.erase(known);
    }
  });
  std::sort(difference.fresh.begin(), difference.fresh.end(),
            [](const Fresh& a, const Fresh& b) { return a.entry.path < b.entry.path; });
  for (const auto& [path, entry] : seen) {
    const bool alone = is_unrecorded_and_new(entry);
    (alone ? difference.come_and_gone : difference.gone).push_back(path);
  }
  return difference;
}

}  // namespace

Earlier replaced_by(int upper, int lower, const Fresh& fresh) {
  const std::string& path = fresh.entry.path;
  if (!fresh.first) {
    return Earlier::Another;
  }
  if (!overlay::look_beneath(lower, path).exists()) {
    return Earlier::Nothing;
  }
  const sys::Fd own = sys::try_open_beneath(upper, path, O_RDONLY | O_NONBLOCK);
  return own && overlay::has_origin(own.get()) ? Earlier::Nothing : Earlier::Another;
}

store::SeenEntry seen_form(const UpperEntry& entry) {
  // Whiteouts of one mount are links of one inode, whose ctime moves with every other deletion.
  const bool whiteout = entry.kind == UpperKind::Whiteout;
  const bool directory = entry.entry.kind == EntryKind::Directory;
  return {static_cast<int>(entry.kind), whiteout ? 0 : entry.entry.ino,
          whiteout || directory ? 0 : entry.entry.ctime_ns};
}

Difference compare_upper(int upper, store::Database& db, const std::string& session) {
  constexpr int kAttempts = 5;
  for (int attempt = 1;; ++attempt) {
    try {
      return compare(upper, store::seen_entries(db, session));
    } catch (const StaleError&) {
      if (attempt == kAttempts) {
        throw;
      }
    }
  }
}

}  // namespace shadow::bases
