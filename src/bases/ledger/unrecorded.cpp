// SPDX-License-Identifier: MIT
#include "bases/ledger/unrecorded.hpp"

#include "overlay/format/look.hpp"
#include "sys/files/beneath.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace shadow::bases {
namespace {

constexpr int kNew = -1;
constexpr int kAgain = -2;
constexpr std::int64_t kMerged = 1;  // in the place of a time

}  // namespace

store::SeenEntry unrecorded_form(const overlay::UpperEntry& entry, bool first) {
  const bool deleted = entry.kind == overlay::UpperKind::Whiteout;
  const bool merged = entry.kind == overlay::UpperKind::MergedDir;
  return {first ? kNew : kAgain, deleted ? 1U : 0U, merged ? kMerged : 0};
}

bool is_unrecorded(const store::SeenEntry& seen) {
  return seen.kind == kNew || seen.kind == kAgain;
}

bool is_unrecorded_and_new(const store::SeenEntry& seen) {
  return seen.kind == kNew;
}

bool hid_nothing(const store::SeenEntry& seen) {
  return seen.kind == static_cast<int>(overlay::UpperKind::MergedDir) ||
         (is_unrecorded(seen) && seen.ctime_ns == kMerged);
}

std::int64_t first_time(const overlay::UpperEntry& entry) {
  return entry.entry.btime_ns == 0 ? entry.entry.ctime_ns : entry.entry.btime_ns;
}

std::int64_t hides_since(int upper, const overlay::UpperEntry& entry) {
  if (entry.kind == overlay::UpperKind::Whiteout) {
    const std::string_view parent = sys::split_path(entry.path).parent;
    return (parent.empty() ? overlay::look_fd(upper) : overlay::look_beneath(upper, parent))
        .ctime_ns;
  }
  return first_time(entry);
}

Replaced::Replaced(store::Database& db, std::string session)
    : db_{db}, session_{std::move(session)} {
}

const std::vector<store::RunRow>& Replaced::runs() {
  if (!runs_) {
    runs_ = store::unsettled_runs(db_, session_);
    std::vector<store::RunRow> live = store::unended_runs(db_, session_);
    std::move(live.begin(), live.end(), std::back_inserter(*runs_));
  }
  return *runs_;
}

void Replaced::record(const std::string& path) {
  if (const auto seen = store::find_seen(db_, session_, path)) {
    record(path, *seen);
  }
}

void Replaced::record(const std::string& path, const store::SeenEntry& seen) {
  if (!is_unrecorded(seen)) {
    return;
  }
  std::optional<RunRange> among;
  if (runs().size() > 1) {
    const auto by_id = [](const store::RunRow& a, const store::RunRow& b) { return a.id < b.id; };
    const auto [first, last] = std::minmax_element(runs().begin(), runs().end(), by_id);
    among = RunRange{first->id, last->id};
  }
  for (const store::RunRow& run : runs()) {
    store::add_run_changes(
        db_, run.id, {{path, seen.ino == 1 ? RunEffect::Deleted : RunEffect::Written, among}});
  }
}

}  // namespace shadow::bases
