// SPDX-License-Identifier: MIT
#include "cli/patch_output.hpp"

#include "base/text.hpp"
#include "cli/render/paint.hpp"
#include "cli/terminal.hpp"

namespace shadow::cli {

void print_patch(const std::vector<PatchFile>& files, const PatchOptions& options, bool color,
                 Output& out) {
  const bool for_people = color || stdout_is_terminal();
  write_patch(files, options, [&](PatchPart part, std::string_view piece) {
    if (for_people) {
      out.write(painted(paint_of(part), printable_text(piece), color));
    } else {
      out.write(piece);
    }
  });
}

}  // namespace shadow::cli
