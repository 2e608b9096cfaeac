// SPDX-License-Identifier: MIT
#include "cli/output/patch_output.hpp"

#include "shadow/failure.hpp"

#include "base/text.hpp"
#include "cli/render/item.hpp"
#include "cli/render/paint.hpp"
#include "cli/terminal/terminal.hpp"

#include <fmt/format.h>

#include <string>

namespace shadow::cli {

namespace {

// Binary files are only said to differ, whatever the options: nobody applies this.
void print_conflict(workspace::Showing& showing, std::size_t conflict, PatchOptions options,
                    bool color, Output& out) {
  constexpr std::string_view kComment = "# ";
  options.binary = false;
  const auto say = [&](const std::string& text) {
    out.write(painted(Paint::Yellow, std::string{kComment} + text, color) + "\n");
  };
  const ReviewItem& item = showing.conflicts()[conflict];
  say(fmt::format("{} ({})", shown_path(item.change), remarks(item)));
  const bool both = showing.knows_project_side(conflict);
  if (both) {
    say("yours:");
    showing.write_project_side(conflict, options, sink_to(out, color, kComment));
  }
  say(both ? "the session's:" : "from yours to the session's:");
  showing.write_session_side(conflict, options, sink_to(out, color, kComment));
}

}  // namespace

PatchSink sink_to(Output& out, bool color, std::string_view prefix) {
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

void print_shown(workspace::Showing& showing, const PatchOptions& options, bool color,
                 Output& out) {
  try {
    for (std::size_t i = 0; i < showing.conflicts().size(); ++i) {
      print_conflict(showing, i, options, color, out);
    }
    showing.write(options, sink_to(out, color));
  } catch (const workspace::Failure&) {
    if (out.take_back()) {
      showing.forget();
    }
    throw;
  }
  out.flush();
}

}  // namespace shadow::cli
