// SPDX-License-Identifier: MIT
#include "changes/worked_on.hpp"

#include "shadow/hunks.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace shadow::changes {

namespace {

// Half-open, of line numbers from 0.
struct Lines {
  std::size_t begin = 0;
  std::size_t end = 0;

  [[nodiscard]] std::size_t size() const { return end - begin; }
};

struct Region {
  Lines before;
  Lines after;
};

using Regions = std::vector<Region>;

Region region_of(const Hunk& hunk) {
  const auto count = [&hunk](LineKind kind) {
    return static_cast<std::size_t>(
        std::count_if(hunk.lines.begin(), hunk.lines.end(),
                      [kind](const HunkLine& line) { return line.kind == kind; }));
  };
  return {{hunk.before_line, hunk.before_line + count(LineKind::Removed)},
          {hunk.after_line, hunk.after_line + count(LineKind::Added)}};
}

std::optional<Regions> regions_of(std::string_view before, std::string_view after) {
  const auto hunks = find_hunks(before, after, 0);
  if (!hunks) {
    return std::nullopt;
  }
  Regions regions;
  for (const Hunk& hunk : *hunks) {
    regions.push_back(region_of(hunk));
  }
  return regions;
}

// In at least one line: what is put in between two has none of them.
bool overlap(const Lines& a, const Lines& b) {
  return std::max(a.begin, b.begin) < std::min(a.end, b.end);
}

// Also at the place where lines were taken out or put in.
bool touch(const Lines& a, const Lines& b) {
  return overlap(a, b) ||
         ((a.size() == 0 || b.size() == 0) && a.begin <= b.end && b.begin <= a.end);
}

// True if the line is among those that a change removed.
bool is_gone(std::size_t line, const Regions& changes) {
  return std::any_of(changes.begin(), changes.end(), [line](const Region& change) {
    return change.before.begin <= line && line < change.before.end;
  });
}

bool all_gone(const Lines& lines, const Regions& changes) {
  for (std::size_t line = lines.begin; line < lines.end; ++line) {
    if (!is_gone(line, changes)) {
      return false;
    }
  }
  return true;
}

// One region of the project's change. `by_session` leads from the project's text to the session's,
// `all` from the base's.
WorkedOn judge(const Region& region, const Regions& by_session, const Regions& all) {
  std::size_t taken = 0;
  std::size_t given = 0;
  bool touched = false;
  bool lost = false;
  for (const Region& change : by_session) {
    if (touch(change.before, region.after)) {
      touched = true;
      lost = lost || overlap(change.before, region.after);
      taken += change.before.size();
      given += change.after.size();
    }
  }
  if (!touched) {
    return WorkedOn::Kept;
  }
  if (!all_gone(region.before, all)) {
    return WorkedOn::TakenBack;
  }
  if (!lost) {
    return WorkedOn::Kept;
  }
  // Lines that the project put in, and for which there is nothing else, are as gone as in the base.
  return region.before.size() == 0 && given < taken ? WorkedOn::TakenBack : WorkedOn::Replaced;
}

// Of the lines: whether the session has one that the project has not, or the other way round.
// `by_project` and `by_session` lead from the text that the lines are of.
struct Kept {
  bool by_session_alone = false;
  bool by_project_alone = false;

  void add(const Lines& lines, const Regions& by_project, const Regions& by_session) {
    for (std::size_t line = lines.begin; line < lines.end; ++line) {
      const bool in_project = !is_gone(line, by_project);
      const bool in_session = !is_gone(line, by_session);
      by_session_alone = by_session_alone || (in_session && !in_project);
      by_project_alone = by_project_alone || (in_project && !in_session);
    }
  }
};

}  // namespace

std::optional<WorkedOn> worked_on_text(std::string_view base, std::string_view project,
                                       std::string_view session) {
  const auto by_project = regions_of(base, project);
  const auto by_session = regions_of(project, session);
  const auto all = regions_of(base, session);
  if (!by_project || !by_session || !all) {
    return std::nullopt;
  }
  WorkedOn worst = WorkedOn::Kept;
  for (const Region& region : *by_project) {
    worst = std::max(worst, judge(region, *by_session, *all));
  }
  return worst;
}

bool keeps_lines_given_up(std::string_view base, std::string_view later, std::string_view project,
                          std::string_view session) {
  const auto changes = regions_of(base, later);
  const auto to_project = regions_of(later, project);
  const auto to_session = regions_of(later, session);
  const auto project_of_base = regions_of(base, project);
  const auto session_of_base = regions_of(base, session);
  if (!changes || !to_project || !to_session || !project_of_base || !session_of_base) {
    return false;
  }
  Kept put_in;
  Kept taken_out;
  for (const Region& change : *changes) {
    put_in.add(change.after, *to_project, *to_session);
    taken_out.add(change.before, *project_of_base, *session_of_base);
  }
  // What was taken out and the session has again, the project has taken out still.
  return put_in.by_session_alone && !put_in.by_project_alone && !taken_out.by_session_alone;
}

}  // namespace shadow::changes
