// SPDX-License-Identifier: MIT
#include "cli/render/status.hpp"

#include "cli/commands/review.hpp"
#include "session/selection.hpp"
#include "status/status.hpp"

namespace shadow::cli {

ExitCode status(const StatusOptions& options, Context& context) {
  const ReviewSession session = context.open();
  const StatusReport report = make_status(session, Selection{options.paths, session.project});
  if (context.global.json) {
    context.print(status_json(session.row, report));
  } else if (options.porcelain || options.null_terminated) {
    context.out.write(
        status_porcelain(report, options.null_terminated ? LineEnd::Nul : LineEnd::Newline));
  } else {
    context.out.write(status_text(session.row, report, context.color));
  }
  return ExitCode::Ok;
}

}  // namespace shadow::cli
