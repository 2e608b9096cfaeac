// SPDX-License-Identifier: MIT
#include "cli/render/refresh.hpp"

#include "cli/commands/review.hpp"

#include <fmt/format.h>

namespace shadow::cli {

ExitCode refresh(const RefreshOptions& options, Context& context) {
  const workspace::Review review = context.open();
  const workspace::Paths paths = workspace::Paths::matching(options.paths);
  const RefreshReport report = options.dry_run ? review.plan_refresh(paths) : review.refresh(paths);
  const RefreshTense tense = options.dry_run ? RefreshTense::Planned : RefreshTense::Done;
  if (context.global.json) {
    context.print(refresh_json(report));
  } else {
    context.out.write(refresh_text(report, tense, context.color));
  }
  return report.left.empty() ? ExitCode::Ok : ExitCode::Conflict;
}

}  // namespace shadow::cli
