// SPDX-License-Identifier: MIT
#include "cli/patch_output.hpp"

#include "shadow/error.hpp"

#include "base/text.hpp"
#include "cli/context.hpp"
#include "cli/render/paint.hpp"
#include "cli/terminal.hpp"

namespace shadow::cli {

void print_patch(const std::vector<PatchFile>& files, const PatchOptions& options, bool color,
                 Output& out, const PatchWritten& written) {
  const bool for_people = color || stdout_is_terminal();
  const PatchSink sink = [&](PatchPart part, std::string_view piece) {
    if (for_people) {
      out.write(painted(paint_of(part), printable_text(piece), color));
    } else {
      out.write(piece);
    }
  };
  write_patch(files, options, sink, written);
}

void keep_shown(const ReviewSession& session, ShownNotes& notes) {
  try {
    notes.keep(session);
  } catch (const Error& error) {
    print_note(std::string{"an apply will not know what was shown here: "} + error.what());
  }
}

void print_shown_patch(const ReviewSession& session, const std::vector<PatchFile>& files,
                       const PatchOptions& options, bool color, Output& out) {
  ShownNotes notes{files};
  try {
    print_patch(files, options, color, out, notes.listener());
    out.flush();
  } catch (...) {
    keep_shown(session, notes);
    throw;
  }
  notes.whole();
  keep_shown(session, notes);
}

}  // namespace shadow::cli
