// SPDX-License-Identifier: MIT
#include "review/hunks.hpp"

#include "shadow/error.hpp"

#include "review/text_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace shadow::review {
namespace {

LineKind kind_of(char origin) {
  switch (origin) {
    case '+':
      return LineKind::Added;
    case '-':
      return LineKind::Removed;
    default:
      return LineKind::Context;
  }
}

char origin_of(LineKind kind) {
  switch (kind) {
    case LineKind::Added:
      return '+';
    case LineKind::Removed:
      return '-';
    case LineKind::Context:
      break;
  }
  return ' ';
}

PatchPart part_of(LineKind kind) {
  switch (kind) {
    case LineKind::Added:
      return PatchPart::Added;
    case LineKind::Removed:
      return PatchPart::Removed;
    case LineKind::Context:
      break;
  }
  return PatchPart::Context;
}

// "@@ -1,2 +3,4 @@ heading\n" -> "heading"
std::string heading_of(std::string_view header) {
  const std::size_t end = header.find("@@", 2);
  if (end == std::string_view::npos) {
    return {};
  }
  header.remove_prefix(std::min(end + 3, header.size()));
  while (!header.empty() && header.back() == '\n') {
    header.remove_suffix(1);
  }
  return std::string{header};
}

// The first line as "@@" gives it, from the number of lines before the hunk.
std::string range(std::size_t lines_before, std::size_t count) {
  const std::size_t start = count == 0 ? lines_before : lines_before + 1;
  return count == 1 ? fmt::format("{}", start) : fmt::format("{},{}", start, count);
}

std::size_t count_lines(const Hunk& hunk, LineKind left_out) {
  return static_cast<std::size_t>(
      std::count_if(hunk.lines.begin(), hunk.lines.end(),
                    [&](const HunkLine& line) { return line.kind != left_out; }));
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end == std::string_view::npos ? end : end + 1));
    text.remove_prefix(lines.back().size());
  }
  return lines;
}

[[noreturn]] void throw_misfit() {
  throw Error{"cannot apply a hunk: it does not fit the text"};
}

// The hunks' effect on each line of the text: the lines inserted before it, and its removal.
struct Edits {
  std::vector<std::vector<std::string_view>> inserted;  // one more than there are lines
  std::vector<bool> removed;
};

void note_edits(const Hunk& hunk, const std::vector<std::string_view>& lines, Edits& edits) {
  std::size_t at = hunk.before_line;
  for (const HunkLine& line : hunk.lines) {
    if (line.kind == LineKind::Added) {
      if (at >= edits.inserted.size()) {
        throw_misfit();
      }
      edits.inserted[at].push_back(line.text);
      continue;
    }
    if (at >= lines.size() || lines[at] != line.text ||
        (line.kind == LineKind::Removed && edits.removed[at])) {
      throw_misfit();
    }
    if (line.kind == LineKind::Removed) {
      edits.removed[at] = true;
    }
    ++at;
  }
}

}  // namespace

std::optional<std::vector<Hunk>> find_hunks(std::string_view before, std::string_view after,
                                            unsigned context_lines, Executable executable) {
  std::vector<Hunk> hunks;
  if (before == after) {
    return hunks;
  }
  bool binary = false;
  review::DiffEvents events;
  events.binary = [&] { binary = true; };
  events.hunk = [&](std::string_view header, std::size_t before_start, std::size_t after_start) {
    Hunk hunk;
    hunk.before_line = before_start;
    hunk.after_line = after_start;
    hunk.heading = heading_of(header);
    hunks.push_back(std::move(hunk));
  };
  events.line = [&](char origin, std::string_view line) {
    hunks.back().lines.push_back({kind_of(origin), std::string{line}});
  };
  review::DiffLimits limits;
  limits.context_lines = context_lines;
  limits.nuls = executable == Executable::Yes ? review::Nuls::Code : review::Nuls::Text;
  review::diff_contents(before, after, limits, events);
  if (binary) {
    return std::nullopt;
  }
  for (Hunk& hunk : hunks) {
    // A side with lines is counted from 1; one without already names the line before it.
    hunk.before_line -= count_lines(hunk, LineKind::Added) > 0 ? 1U : 0U;
    hunk.after_line -= count_lines(hunk, LineKind::Removed) > 0 ? 1U : 0U;
  }
  return hunks;
}

Hunk reversed(Hunk hunk) {
  std::swap(hunk.before_line, hunk.after_line);
  std::vector<HunkLine> lines;
  lines.reserve(hunk.lines.size());
  // Within a group the removed lines come first, as in any patch.
  std::vector<HunkLine> added;
  const auto flush = [&] {
    std::move(added.begin(), added.end(), std::back_inserter(lines));
    added.clear();
  };
  for (HunkLine& line : hunk.lines) {
    switch (line.kind) {
      case LineKind::Context:
        flush();
        lines.push_back(std::move(line));
        break;
      case LineKind::Removed:
        line.kind = LineKind::Added;
        added.push_back(std::move(line));
        break;
      case LineKind::Added:
        line.kind = LineKind::Removed;
        lines.push_back(std::move(line));
        break;
    }
  }
  flush();
  hunk.lines = std::move(lines);
  return hunk;
}

std::string apply_hunks(std::string_view text, std::vector<Hunk> hunks) {
  const std::vector<std::string_view> lines = lines_of(text);
  Edits edits;
  edits.inserted.resize(lines.size() + 1);
  edits.removed.resize(lines.size(), false);
  std::stable_sort(hunks.begin(), hunks.end(),
                   [](const Hunk& a, const Hunk& b) { return a.before_line < b.before_line; });
  for (const Hunk& hunk : hunks) {
    note_edits(hunk, lines, edits);
  }
  std::string result;
  result.reserve(text.size());
  const auto append = [&](std::string_view line) {
    if (!result.empty() && result.back() != '\n') {
      throw_misfit();  // a line without newline can only be the last one
    }
    result += line;
  };
  for (std::size_t i = 0; i <= lines.size(); ++i) {
    std::for_each(edits.inserted[i].begin(), edits.inserted[i].end(), append);
    if (i < lines.size() && !edits.removed[i]) {
      append(lines[i]);
    }
  }
  return result;
}

std::optional<Hunk> edit_hunk(const Hunk& hunk, std::string_view edited, EditedSide side) {
  Hunk result = hunk;
  result.lines.clear();
  for (const std::string_view line : lines_of(edited)) {
    const char first = line[0];
    std::string text{line.substr(first == '\n' ? 0 : 1)};
    if (text.empty() || text.back() != '\n') {
      text += '\n';  // an editor that leaves the last newline out does not mean the text's
    }
    if (first == '\\' && !result.lines.empty() && result.lines.back().text.back() == '\n') {
      result.lines.back().text.pop_back();
    } else if (first == ' ' || first == '+' || first == '-' || first == '\n') {
      result.lines.push_back({kind_of(first), std::move(text)});
    } else if (first != '#' && line.substr(0, 2) != "@@") {
      throw Error{"cannot read the edited hunk: a line begins with none of ' ', '+', '-', '#'"};
    }
  }
  const auto fixed = [&](const Hunk& one) {
    std::string text;
    const LineKind left_out = side == EditedSide::Before ? LineKind::Added : LineKind::Removed;
    for (const HunkLine& line : one.lines) {
      text += line.kind == left_out ? "" : line.text;
    }
    return text;
  };
  if (fixed(result) != fixed(hunk)) {
    throw Error{"cannot use the edited hunk: it no longer fits the text",
                "keep a removed line by making its '-' a ' ', leave an added line out by deleting "
                "it"};
  }
  const bool changes = std::any_of(result.lines.begin(), result.lines.end(),
                                   [](const auto& line) { return line.kind != LineKind::Context; });
  return changes ? std::optional{std::move(result)} : std::nullopt;
}

}  // namespace shadow::review

namespace shadow {

std::vector<Hunk> split_hunk(const Hunk& hunk) {
  std::vector<Hunk> pieces;
  Hunk piece;
  piece.before_line = hunk.before_line;
  piece.after_line = hunk.after_line;
  piece.heading = hunk.heading;
  bool changed = false;      // the piece has its changed lines
  std::size_t trailing = 0;  // lines of context at its end
  std::size_t before_line = hunk.before_line;
  std::size_t after_line = hunk.after_line;
  for (const HunkLine& line : hunk.lines) {
    const bool context = line.kind == LineKind::Context;
    if (!context && changed && trailing > 0) {
      // The next group begins: it shares the context since the last one.
      Hunk next;
      next.before_line = before_line - trailing;
      next.after_line = after_line - trailing;
      next.heading = hunk.heading;
      next.lines.assign(piece.lines.end() - static_cast<std::ptrdiff_t>(trailing),
                        piece.lines.end());
      pieces.push_back(std::exchange(piece, std::move(next)));
    }
    changed = changed || !context;
    trailing = context ? trailing + 1 : 0;
    piece.lines.push_back(line);
    before_line += line.kind == LineKind::Added ? 0 : 1;
    after_line += line.kind == LineKind::Removed ? 0 : 1;
  }
  pieces.push_back(std::move(piece));
  return pieces;
}

void write_hunk(const Hunk& hunk, const PatchSink& sink) {
  std::string header = fmt::format(
      "@@ -{} +{} @@", review::range(hunk.before_line, review::count_lines(hunk, LineKind::Added)),
      review::range(hunk.after_line, review::count_lines(hunk, LineKind::Removed)));
  if (!hunk.heading.empty()) {
    header += ' ' + hunk.heading;
  }
  sink(PatchPart::HunkHeader, header + '\n');
  for (const HunkLine& line : hunk.lines) {
    const bool ended = !line.text.empty() && line.text.back() == '\n';
    sink(review::part_of(line.kind),
         review::origin_of(line.kind) + line.text + (ended ? "" : "\n"));
    if (!ended) {
      sink(PatchPart::Note, "\\ No newline at end of file\n");
    }
  }
}

}  // namespace shadow
