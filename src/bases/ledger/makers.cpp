// SPDX-License-Identifier: MIT
#include "bases/ledger/makers.hpp"

#include <cstdint>
#include <map>

namespace shadow::bases {
namespace {

using overlay::UpperEntry;
using overlay::UpperKind;

// A run's start is a time of the coarse clock, which stamps files, and its end one of the fine one:
// none of its stamps lies outside. One of a run that followed within the same tick may lie inside.
bool in_window(const store::RunRow& run, std::int64_t ctime_ns) {
  return ctime_ns >= run.started_ns && ctime_ns <= run.ended_ns.value_or(INT64_MAX);
}

// Whiteouts of one mount are links of one inode, and a directory's times are those of its names:
// all that is known is when the first and the last of them changed. A run that could have made it
// gets it: a run too many in the log rather than one too few.
bool may_be_of(const store::RunRow& run, const Entry& entry) {
  return entry.ctime_ns >= run.started_ns &&
         (entry.btime_ns == 0 || entry.btime_ns <= run.ended_ns.value_or(INT64_MAX));
}

// The runs that last wrote and created the file. Within a tick of the clock two runs may have the
// time stamp. Runs that follow each other closely are settled together: what one of them wrote
// between two others left no trace.
std::vector<Maker> makers_of_file(const std::vector<store::RunRow>& runs, const Entry& entry,
                                  Earlier replaced) {
  std::vector<std::size_t> wrote;
  std::vector<std::size_t> made;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (in_window(runs[i], entry.ctime_ns)) {
      wrote.push_back(i);
    }
    if (entry.btime_ns != 0 && in_window(runs[i], entry.btime_ns)) {
      made.push_back(i);
    }
  }
  std::map<std::size_t, Maker> makers;
  for (const auto& some : {wrote, made}) {
    for (const std::size_t run : some) {
      Maker& maker = makers.try_emplace(run, Maker{run, false}).first->second;
      maker.certain = maker.certain || some.size() == 1;
    }
  }
  const std::int64_t since = replaced == Earlier::Another ? 0 : entry.btime_ns;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].started_ns <= entry.ctime_ns && runs[i].ended_ns.value_or(INT64_MAX) >= since) {
      makers.try_emplace(i, Maker{i, false});
    }
  }
  std::vector<Maker> result;
  result.reserve(makers.size());
  for (const auto& [run, maker] : makers) {
    result.push_back(maker);
  }
  return result;
}

}  // namespace

std::vector<Maker> makers_of(const std::vector<store::RunRow>& runs, const UpperEntry& entry,
                             Earlier replaced) {
  if (entry.kind == UpperKind::Plain) {
    return makers_of_file(runs, entry.entry, replaced);
  }
  std::vector<Maker> makers;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (may_be_of(runs[i], entry.entry)) {
      makers.push_back({i});
    }
  }
  for (Maker& maker : makers) {
    maker.certain = makers.size() == 1;
  }
  return makers;
}

}  // namespace shadow::bases
