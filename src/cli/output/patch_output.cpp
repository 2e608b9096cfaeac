// SPDX-License-Identifier: MIT
#include "cli/output/patch_output.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "changes/patch_files.hpp"
#include "cli/output/context.hpp"
#include "cli/render/item.hpp"
#include "cli/render/paint.hpp"
#include "cli/terminal/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace shadow::cli {

namespace {

// How a piece of a patch is written to `out`.
PatchSink sink_to(Output& out, bool color, std::string_view prefix = {}) {
  return [&out, color, prefix, for_people = color || stdout_is_terminal()](PatchPart part,
                                                                           std::string_view piece) {
    out.write(painted(Paint::Yellow, prefix, color && !prefix.empty()));
    if (for_people) {
      out.write(painted(paint_of(part), printable_text(piece), color));
    } else {
      out.write(piece);
    }
  };
}

std::vector<ReviewItem> take_conflicts(std::vector<ReviewItem>& items) {
  const auto first = std::stable_partition(items.begin(), items.end(), [](const ReviewItem& item) {
    return item.resolution.verdict != Verdict::Conflict;
  });
  std::vector<ReviewItem> conflicts{std::make_move_iterator(first),
                                    std::make_move_iterator(items.end())};
  items.erase(first, items.end());
  return conflicts;
}

// Both sides in lines that `git apply` passes over: each begins with "# ". Of binary files that
// they differ, whatever the options say: nobody applies this.
void print_conflict(const ReviewItem& item, const changes::ConflictSides& sides,
                    PatchOptions options, bool color, Output& out, const PatchWritten& written) {
  constexpr std::string_view kComment = "# ";
  options.binary = false;
  const auto say = [&](const std::string& text) {
    out.write(painted(Paint::Yellow, std::string{kComment} + text, color) + "\n");
  };
  say(fmt::format("{} ({})", shown_path(item.change), remarks(item)));
  if (sides.project) {
    say("yours:");
    write_patch({*sides.project}, options, sink_to(out, color, kComment));
  }
  say(sides.project ? "the session's:" : "from yours to the session's:");
  write_patch({sides.session}, options, sink_to(out, color, kComment), written);
}

// Takes note of what of `files` was shown, also where `print` ends early.
void print_noted(const session::ReviewSession& session, const std::vector<PatchFile>& files,
                 Output& out, const std::function<void(const PatchWritten&)>& print) {
  apply::ShownNotes notes{files};
  try {
    print(notes.listener());
    out.flush();
  } catch (...) {
    keep_shown(session, notes);
    throw;
  }
  notes.whole();
  keep_shown(session, notes);
}

}  // namespace

void print_patch(const std::vector<PatchFile>& files, const PatchOptions& options, bool color,
                 Output& out, const PatchWritten& written) {
  write_patch(files, options, sink_to(out, color), written);
}

void keep_shown(const session::ReviewSession& session, apply::ShownNotes& notes) {
  try {
    notes.keep(session);
  } catch (const Error& error) {
    print_note(std::string{"an apply will not know what was shown here: "} + error.what());
  }
}

void print_shown_patch(const session::ReviewSession& session, const std::vector<PatchFile>& files,
                       const PatchOptions& options, bool color, Output& out) {
  print_noted(session, files, out, [&](const PatchWritten& written) {
    print_patch(files, options, color, out, written);
  });
}

void print_review(const session::ReviewSession& session, std::vector<ReviewItem> items,
                  const PatchOptions& options, bool color, Output& out) {
  const std::vector<ReviewItem> conflicts = take_conflicts(items);
  const std::vector<PatchFile> files =
      changes::patch_files(session, items, changes::Shown::Written);
  std::vector<changes::ConflictSides> sides;
  std::vector<PatchFile> shown = files;
  for (const ReviewItem& item : conflicts) {
    sides.push_back(changes::conflict_sides(session, item));
    shown.push_back(sides.back().session);
  }
  print_noted(session, shown, out, [&](const PatchWritten& written) {
    for (std::size_t i = 0; i < conflicts.size(); ++i) {
      print_conflict(conflicts[i], sides[i], options, color, out, written);
    }
    print_patch(files, options, color, out, written);
  });
}

}  // namespace shadow::cli
