// SPDX-License-Identifier: MIT
#include "changes/worked_on.hpp"

#include "review/hunks.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace shadow::changes {

using promote::WorkedOn;

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

using Regions = std::vector<Region>;  // in the order of their lines, which do not overlap

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
  const auto hunks = review::find_hunks(before, after, 0);
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
  const auto after = std::partition_point(
      changes.begin(), changes.end(), [line](const Region& one) { return one.before.end <= line; });
  return after != changes.end() && after->before.begin <= line;
}

bool all_gone(const Lines& lines, const Regions& changes) {
  for (std::size_t line = lines.begin; line < lines.end; ++line) {
    if (!is_gone(line, changes)) {
      return false;
    }
  }
  return true;
}

bool none_gone(const Lines& lines, const Regions& changes) {
  for (std::size_t line = lines.begin; line < lines.end; ++line) {
    if (is_gone(line, changes)) {
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
  const Lines& own = region.after;
  auto change =
      std::partition_point(by_session.begin(), by_session.end(),
                           [&own](const Region& one) { return one.before.end < own.begin; });
  for (; change != by_session.end() && change->before.begin <= own.end; ++change) {
    if (touch(change->before, own)) {
      touched = true;
      lost = lost || overlap(change->before, own);
      taken += change->before.size();
      given += change->after.size();
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

// Line by line, whether there is more in it than blanks and punctuation: an empty line or a lone
// brace may be anybody's.
std::vector<bool> telling_lines(std::string_view text) {
  std::vector<bool> telling{false};
  for (const char c : text) {
    if (c == '\n') {
      telling.push_back(false);
    } else if (std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               static_cast<signed char>(c) < 0) {
      telling.back() = true;
    }
  }
  return telling;
}

// True if one of the lines is left in one text alone. `to_one` and `to_other` lead from the text
// that the lines are of to the two; `telling`, where it is given, says which of them count.
bool left_in_one(const Lines& lines, const Regions& to_one, const Regions& to_other,
                 const std::vector<bool>* telling = nullptr) {
  for (std::size_t line = lines.begin; line < lines.end; ++line) {
    if ((telling == nullptr || (*telling)[line]) && !is_gone(line, to_one) &&
        is_gone(line, to_other)) {
      return true;
    }
  }
  return false;
}

// True if a line begins with at least seven of the sign (gitattributes(5), conflict-marker-size),
// a blank and the label.
bool has_marker(std::string_view text, char sign, std::string_view label) {
  constexpr std::size_t kLeast = 7;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    const std::size_t size = std::min(line.find_first_not_of(sign), line.size());
    line.remove_prefix(size);
    if (size >= kLeast && line.starts_with(' ') && line.substr(1).starts_with(label)) {
      return true;
    }
    at = end + 1;
  }
  return false;
}

bool has_markers(std::string_view text) {
  return has_marker(text, '<', kMarkedProject) && has_marker(text, '>', kMarkedSession);
}

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
  const std::vector<bool> telling = telling_lines(later);
  bool keeps_some = false;
  for (const Region& change : *changes) {
    // What was taken out and the session has again, the project has taken out still.
    if (left_in_one(change.after, *to_project, *to_session) ||
        left_in_one(change.before, *session_of_base, *project_of_base)) {
      return false;
    }
    keeps_some = keeps_some || left_in_one(change.after, *to_session, *to_project, &telling);
  }
  return keeps_some;
}

bool has_lines_given_up(std::string_view base, std::string_view later, std::string_view project,
                        std::string_view session) {
  const auto changes = regions_of(base, later);
  const auto to_project = regions_of(later, project);
  const auto to_session = regions_of(later, session);
  if (!changes || !to_project || !to_session) {
    return false;
  }
  const std::vector<bool> telling = telling_lines(later);
  return std::any_of(changes->begin(), changes->end(), [&](const Region& change) {
    return left_in_one(change.after, *to_session, *to_project, &telling);
  });
}

bool settles_markers(std::string_view shown, std::string_view session) {
  return has_markers(shown) && !has_markers(session);
}

bool is_on_the_way(std::string_view before, std::string_view between, std::string_view after) {
  const auto first = regions_of(before, between);
  const auto second = regions_of(between, after);
  const auto all = regions_of(before, after);
  if (!first || !second || !all) {
    return false;
  }
  return std::all_of(first->begin(), first->end(), [&](const Region& change) {
    return none_gone(change.after, *second) && all_gone(change.before, *all);
  });
}

}  // namespace shadow::changes
