// SPDX-License-Identifier: MIT
#include "status/live_changes.hpp"

#include "bases/ledger/makers.hpp"
#include "bases/ledger/upper_difference.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace shadow::status {

namespace {

void note_maker(std::vector<LiveChanges>& runs, const std::vector<bases::Maker>& makers,
                const RunChange& change) {
  for (const bases::Maker& maker : makers) {
    RunChange own = change;
    if (!maker.certain) {
      own.among = RunRange{runs[makers.front().run].run.id, runs[makers.back().run].run.id};
    }
    runs[maker.run].changes.push_back(std::move(own));
  }
}

}  // namespace

std::vector<LiveChanges> live_changes(const session::ReviewSession& session) {
  std::vector<store::RunRow> rows = session::live_runs(session);
  if (rows.empty()) {
    return {};
  }
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  std::vector<LiveChanges> runs;
  std::vector<bases::Maker> all;
  for (const store::RunRow& row : rows) {
    all.push_back({runs.size(), rows.size() == 1});
    runs.push_back({row, {}});
  }
  const bases::Difference difference =
      bases::compare_upper(session.upper.get(), *session.db, session.row.id);
  for (const bases::Fresh& fresh : difference.fresh) {
    const overlay::UpperEntry& entry = fresh.entry;
    const bool deleted = entry.kind == overlay::UpperKind::Whiteout;
    note_maker(runs,
               rows.size() == 1 ? all
                                : bases::makers_of(rows, entry,
                                                   bases::replaced_by(session.upper.get(),
                                                                      session.lower.get(), fresh)),
               {entry.path, deleted ? RunEffect::Deleted : RunEffect::Written});
  }
  for (const std::string& path : difference.gone) {
    note_maker(runs, all, {path, RunEffect::Deleted});
  }
  std::erase_if(runs, [](const LiveChanges& run) { return run.changes.empty(); });
  return runs;
}

}  // namespace shadow::status
